"""Rated matches: their results are counted once they are over, each of them once.

That a match is rated is stored before it begins. Whatever is interrupted is made up for: every
result that is missing is looked for at the start, and again and again.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from triomino.protocol.play_now import (
    BoardLine,
    EditionRating,
    Leaderboard,
    PersonRatings,
    RatingInfo,
    RatingStep,
    SeatRating,
    TableRatings,
)
from triomino.ratings import MATCHES_ON_BOARD, RatedMatch, Rating, Seat, ranks_of
from triomino.rules import EDITIONS
from triomino.server.names import told_apart
from triomino.server.table import RefusedError
from triomino.store.failure import StoreError
from triomino.store.ratings import RatingStore

if TYPE_CHECKING:
    from triomino.server.hub import Hub
    from triomino.server.table import Table
    from triomino.store.ratings import RatingChange

SWEEP_SECONDS: Final = 20.0
"""Between two looks for results that were not counted because a server died."""

FORGOTTEN: Final = 45_000
"""Milliseconds beyond the time to come after which a table that did not begin never will."""

ON_BOARD: Final = 100
"""Lines of a leaderboard."""

MOST: Final = 1_000_000
"""Rated matches in a download."""

COURSE: Final = 400
"""Matches that the course of a rating goes back."""


class RatedMatches:
    """Counts the results of rated matches, and shows what they add up to."""

    def __init__(self, hub: Hub) -> None:
        self._hub, self._people = hub, hub.people.store
        self.store = RatingStore(hub.events)
        self._tasks: set[asyncio.Task[None]] = set()
        hub.on_rated_over = self._settle_soon

    # --- Before a match --------------------------------------------------------------------------

    async def agree(self, table_id: str, seat: int, device: str, wanted: bool) -> None:
        """Let a match be rated as far as a seat is concerned, or no longer."""
        table = await self._hub.look(table_id)
        if seat not in table.seats_of(device):
            raise RefusedError("not_yours", f"seat {seat} is not yours")
        person = await self._people.person_of(device) if wanted else None
        if wanted and person is None:
            raise RefusedError("no_profile", "only people with a profile are rated")
        if wanted and not set(table.rules.changes) <= {"edition", "target"}:
            raise RefusedError("house_rules", "a match with house rules is not rated")
        who, now = "" if person is None else person.id, self._hub.now()
        if wanted:
            table.agree_rating(seat, who, now)  # raises if it is refused anyway
            # Before it is agreed on, so that a crash in between forgets no result.
            await self.begin(table)
        await self._hub.change(table_id, lambda table: table.agree_rating(seat, who, now))

    async def begin(self, table: Table) -> None:
        """Note that the match of a table may be rated."""
        await self.store.begin(table.id, table.rules.edition, self._hub.now())

    # --- After a match ---------------------------------------------------------------------------

    def _settle_soon(self, table_id: str) -> None:
        task = asyncio.create_task(
            self._hub.troubles.watch(self.settle(table_id), self._hub.metrics)
        )
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settle(self, table_id: str) -> None:
        """Count the result of a match that is over, unless that was done."""
        try:
            table = await self._hub.look(table_id)
        except RefusedError:  # deleted, or damaged
            await self.store.forget(table_id)
            return
        if table.state not in ("finished", "closed"):
            await self._close_forgotten(table)
            return
        seats = rated_seats(table)
        if seats is None or not await self._are_different(table):
            await self.store.forget(table_id)
            return
        result = RatedMatch(table.id, table.rules.edition, table.updated, seats)
        await self.store.settle(result)

    async def _close_forgotten(self, table: Table) -> None:
        """Close a table that nobody was told of, because the server died while it was set up."""
        now = self._hub.now()
        ends = table.created + 1000 * self._hub.config.come_seconds + FORGOTTEN
        if table.is_arranged and table.state == "open" and now > ends:
            await self._hub.change(table.id, lambda table: table.close("unpaired", now))

    async def _are_different(self, table: Table) -> bool:
        """Whether no person has devices at two seats."""
        owners = {device for chair in table.chairs for device in chair.owners}
        known = await self._people.people_of(owners)
        seen: Counter[str] = Counter()
        for chair in table.chairs:
            own = {known[device].id for device in chair.owners if device in known}
            seen.update(own | {chair.person})
        return max(seen.values(), default=0) <= 1

    async def run(self) -> None:
        """Count what was missed, for ever."""
        while True:
            if self._hub.cluster.leases.holds("ratings"):
                await self._hub.troubles.watch(self.sweep(), self._hub.metrics)
            await asyncio.sleep(SWEEP_SECONDS)

    async def sweep(self) -> None:
        """Look for results that were not counted."""
        try:
            for table in await self.store.pending():
                await self.settle(table)
        except StoreError as error:
            self._hub.troubles.log_failure(error)

    async def close(self) -> None:
        """Finish what is under way."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- Showing ---------------------------------------------------------------------------------

    async def at_table(self, table_id: str) -> TableRatings:
        """What the match of a table changed."""
        table = await self._hub.look(table_id)
        # Asked first: what is counted a moment later has its changes by then.
        waits = table_id in await self.store.pending()
        by_person = {one.person: one for one in await self.store.changes_at(table_id)}
        changes = [
            SeatRating(seat, _before(by_person[chair.person]), *_after(by_person[chair.person]))
            for seat, chair in enumerate(table.chairs)
            if chair.person in by_person
        ]
        return TableRatings(settled=not waits, changes=changes)

    async def of_device(self, device: str) -> PersonRatings:
        """The ratings of the person whose device this is."""
        person = await self._people.person_of(device)
        if person is None:
            return PersonRatings([], on_board=True)
        course = await self.store.course(person.id, COURSE)
        editions = [
            EditionRating(
                edition,
                rating_info(rating),
                [_step(change) for change in course if change.edition == edition],
            )
            for edition, rating in (await self.store.of_person(person.id)).items()
        ]
        return PersonRatings(editions, on_board=await self.store.is_on_board(person.id))

    async def board(self, edition: str, device: str | None) -> Leaderboard:
        """The leaderboard of an edition, as the one who asks sees it."""
        if edition not in EDITIONS:
            raise RefusedError("no_edition", f"there is no edition {edition!r}")
        rows = await self.store.board(edition, ON_BOARD)
        known = await self._people.get_all([row.person for row in rows])
        you = None if device is None else await self._people.person_of(device)
        own = {} if you is None else await self.store.of(edition, [you.id])
        shown = [row for row in rows if row.person in known and not known[row.person].deleted]
        # Whoever was here first has the name alone.
        ids = sorted((row.person for row in shown), key=lambda one: (known[one].made, one))
        names = dict(zip(ids, told_apart(known[one].name for one in ids), strict=True))
        lines = [
            BoardLine(
                rank=1 + sum(other.rating.mu > row.rating.mu for other in shown),
                person=row.person,
                name=names[row.person] or "",
                face=known[row.person].face,
                rating=rating_info(row.rating),
                you=you is not None and you.id == row.person,
            )
            for row in shown
        ]
        return Leaderboard(
            edition,
            lines,
            MATCHES_ON_BOARD,
            you=rating_info(own[you.id]) if you is not None and you.id in own else None,
            on_board=you is None or await self.store.is_on_board(you.id),
        )

    async def show_on_board(self, device: str, wanted: bool) -> None:
        """Show the person whose device this is on leaderboards, or not."""
        person = await self._people.person_of(device)
        if person is None:
            raise RefusedError("no_profile", "this device has no profile")
        await self.store.show_on_board(person.id, wanted)


async def ratings_of(hub: Hub, person: str) -> dict[str, Any]:
    """What is stored about the ratings of a person, for a download."""
    store = RatingStore(hub.events)
    ratings = await store.of_person(person)
    return {
        "ratings": {edition: asdict(rating) for edition, rating in ratings.items()},
        "rated_matches": [asdict(one) for one in await store.course(person, MOST)],
        "on_leaderboards": await store.is_on_board(person),
    }


def rated_seats(table: Table) -> tuple[Seat, ...] | None:
    """How everybody did in a rated match; ``None`` if it has no result that counts."""
    if table.state != "finished" or table.match is None or not table.is_rated:
        return None
    left = {*table.gone, *table.gave_up}
    ranks = ranks_of(table.match.scores, table.winners, left)
    return tuple(
        Seat(chair.person, rank, left=seat in left, bot_moves=_is_of_bot(table, seat))
        for seat, (chair, rank) in enumerate(zip(table.chairs, ranks, strict=True))
    )


def _is_of_bot(table: Table, seat: int) -> bool:
    """Whether a bot played more than half of the moves of a seat."""
    rounds = () if table.match is None else table.match.rounds
    marks = [
        by_bot
        for game, of_round in zip(rounds, table.by_bot, strict=True)
        for ply, by_bot in zip(game.plies, of_round, strict=True)
        if ply.seat == seat
    ]
    return 2 * sum(marks) > len(marks)


def rating_info(rating: Rating) -> RatingInfo:
    """A rating as people read it."""
    return RatingInfo(rating.points, rating.uncertainty, rating.matches, rating.is_provisional)


def _before(change: RatingChange) -> int:
    return Rating(change.before).points


def _after(change: RatingChange) -> tuple[int, int]:
    after = Rating(change.mu, change.sigma)
    return after.points, after.uncertainty


def _step(change: RatingChange) -> RatingStep:
    return RatingStep(change.at, change.table_id, _before(change), *_after(change))
