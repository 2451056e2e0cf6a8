/** A live sheet: sends what is written to the server as soon as it can be reached. */
import { reportOffline, onReconnect, reportOnline } from "../net/connectivity.svelte";
import type { PadMade, PadVersion } from "../net/types";
import type { PadEditor } from "./padEditor.svelte";

const BATCH = 60;

async function post<T>(path: string, body: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch (error) {
    reportOffline();
    throw error;
  }
  reportOnline();
  if (!answer.ok) throw new HttpError(answer.status);
  return (await answer.json()) as T;
}

class HttpError extends Error {
  constructor(readonly status: number) {
    super(String(status));
  }
}

export class Publisher {
  /** Some acts have not been sent yet. */
  behind = $state(false);
  /** The server refused this sheet for good. */
  refused = $state(false);

  private sending = false;
  private stopped = false;
  private readonly stopListening: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly editor: PadEditor) {
    editor.onwrite = () => void this.send();
    this.stopListening = onReconnect(() => void this.send());
    void this.send();
  }

  /** Begin a live sheet; rejects if the server cannot be reached. */
  async begin(): Promise<void> {
    if (this.editor.stored.live) return;
    const made = await post<PadMade>("/api/pads", {});
    this.editor.setLive({ id: made.pad, secret: made.secret, sent: 0 });
    await this.send();
  }

  /** Send the acts that the server does not have; sending one twice is harmless. */
  async send(): Promise<void> {
    if (this.sending || this.stopped || this.refused) return;
    this.sending = true;
    clearTimeout(this.timer);
    try {
      for (;;) {
        const { live, log } = this.editor.stored;
        const { savedCount } = this.editor;
        if (!live || live.sent >= savedCount) break;
        this.behind = true;
        const acts = log.slice(live.sent, Math.min(savedCount, live.sent + BATCH));
        const body = { secret: live.secret, since: live.sent, acts };
        const { version } = await post<PadVersion>(`/api/pads/${live.id}/acts`, body);
        this.editor.setLive({ ...live, sent: Math.min(version, live.sent + acts.length) });
      }
      this.behind = false;
    } catch (error) {
      const status = error instanceof HttpError ? error.status : 0;
      if (status >= 400 && status < 500 && status !== 429) this.refused = true;
      // Rate limited or a server error: retry. While offline, `onReconnect` does.
      else if (status && !this.stopped) this.timer = setTimeout(() => void this.send(), 5000);
    } finally {
      this.sending = false;
    }
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.stopListening();
    this.editor.onwrite = null;
  }
}
