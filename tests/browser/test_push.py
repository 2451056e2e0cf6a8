"""Being told while the page is closed: chosen in the settings, shown by the service worker."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.seeded_server import SeededServer
from tests.server.push_service import PushService, Subscribed

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page, Response

    from tests.browser.conftest import OpenPage

SUBSCRIBE = """keys => {
  // This browser has no notifications, and the push service of others is on the internet.
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
  Notification.requestPermission = async () => 'granted';
  let made = null;
  PushManager.prototype.getSubscription = async () => made;
  PushManager.prototype.subscribe = async options => (made = {
    options,
    toJSON: () => ({ endpoint: keys.endpoint, keys }),
    unsubscribe: async () => ((made = null), true),
  });
}"""
ASK = """async ([method, path, body]) => {
  const answer = await fetch(path, {method, body: body && JSON.stringify(body),
    headers: {'content-type': 'application/json'}});
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}"""
WATCH = """() => {
  self.shown = new Promise(resolve => {
    // The headless shell has no notifications: what would be one is looked at.
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) =>
      resolve({ title, ...options });
  });
}"""
TAP = """action => new Promise((done, fail) => {
  const tap = new Event('notificationclick');
  const notification = { close() {}, data: {} };
  self.dispatchEvent(Object.assign(tap, {
    action, notification, waitUntil: work => work.then(done, fail),
  }));
})"""
"""Taps a button of a notification."""


def is_saved(answer: Response) -> bool:
    return answer.request.method == "PUT" and answer.url.endswith("/api/push")


def ask(page: Page, method: str, path: str, body: Any = None) -> Any:
    return page.evaluate(ASK, [method, path, body])


def deliver(page: Page, url: str, message: str) -> None:
    """Let the browser hand a message to the service worker, as when its push service has one."""
    session = page.context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated", lambda told: found.extend(told["registrations"])
    )
    session.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)
    [registration] = [one for one in found if one["scopeURL"] == f"{url}/"]
    session.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": f"{url}/",
            "registrationId": registration["registrationId"],
            "data": message,
        },
    )
    session.detach()


def test_a_turn_is_told_while_the_page_is_closed(tmp_path: Path, open_page: OpenPage) -> None:
    browser = Subscribed("/phone")
    with (
        PushService() as service,
        SeededServer(tmp_path, push_services=service.url) as server,
    ):
        page = open_page(service_workers="allow")
        page.add_init_script(f"({SUBSCRIBE})({json.dumps(browser.body(service.url))})")
        page.goto(f"{server.url}/settings")
        page.wait_for_function("() => navigator.serviceWorker.controller")
        section = page.get_by_role("region", name="When the page is closed")
        with page.expect_response(is_saved):
            section.get_by_label("Tell me on this device").check()
        quiet = section.get_by_label("Quiet hours")
        expect(quiet).to_be_checked()
        with page.expect_response(is_saved) as saved:
            quiet.uncheck()
        assert saved.value.ok
        assert ask(page, "GET", "/api/push")["is_subscribed"]

        seats = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]
        table = ask(page, "POST", "/api/tables", {"seats": seats})["id"]
        friend = open_page()
        friend.goto(server.url)
        ask(friend, "POST", "/api/devices")
        ask(friend, "POST", f"/api/tables/{table}/seats", {"name": "Ben"})
        ask(page, "POST", f"/api/tables/{table}/start")
        page.goto("about:blank")
        friend.goto(f"{server.url}/t/{table}")
        ben = Player(friend)
        while not service.taken:
            friend.wait_for_timeout(50)
            if friend.locator(".table[data-mine=true]").count():
                ben.turn()
        shown = browser.read(service.taken[-1][1])
        assert shown["body"] == "It is your turn. At the table: Ben."
        assert len(service.taken) == 1

        # No page of the game is open where it arrives.
        assert [one.url for one in page.context.pages] == ["about:blank"]
        [worker] = page.context.service_workers
        worker.evaluate(WATCH)
        deliver(page, server.url, json.dumps(shown))
        note = worker.evaluate("() => self.shown")
        wanted = {"title": "triomino", "body": shown["body"], "tag": table, "lang": "en"}
        assert {**note, **wanted} == note
        assert note["data"] == {"path": f"t/{table}"}
        assert note["actions"] == [{"action": "off", "title": "Tell me no more"}]
        # One tap on it, and nobody is told any more: not on another day either.
        worker.evaluate(TAP, "off")
        page.goto(f"{server.url}/settings")
        assert not ask(page, "GET", "/api/push")["is_subscribed"]
        is_on = section.get_by_label("Tell me on this device")
        expect(is_on).not_to_be_checked()
        page.evaluate(
            """() => localStorage.setItem('triomino',
              JSON.stringify({ ...JSON.parse(localStorage.getItem('triomino')), pushed: 0 }))"""
        )
        page.reload()
        expect(is_on).not_to_be_checked()
        page.wait_for_timeout(300)  # for who would subscribe again
        assert not ask(page, "GET", "/api/push")["is_subscribed"]
        # And so it is with the box in the settings.
        with page.expect_response(is_saved):
            is_on.check()
        expect(section.get_by_label("Quiet hours")).to_be_visible()
        page.reload()
        expect(is_on).to_be_checked()
        is_on.uncheck()
        expect(section.get_by_label("Quiet hours")).to_have_count(0)
        page.wait_for_function(
            "async () => !(await (await fetch('/api/push')).json()).is_subscribed"
        )
