/**
 * Analyses in this browser: several Workers share the plies of a match, and what they find is kept.
 * Nothing leaves the device.
 */
import { hexText } from "../kernel/kernel";
import type { Assessment } from "../kernel/match";
import type { Analysis, AnalysisState } from "../net/types";
import type { Finding, Task, Told } from "./analyst";
import { keptAnalysis, keepAnalysis } from "./keptAnalyses";
import { analysisOf, type Recorded, type RoundFindings } from "./review";

/** Even a large machine has other things to do. */
const MOST_WORKERS = 4;

const states = new Map<string, AnalysisState>();

const plain = (id: string): AnalysisState => ({
  ...{ id, done: 0, total: 0, ahead: 0, why: null, result: null },
  state: "none",
});

/** The progress of an analysis, or its result. */
export async function look(id: string): Promise<AnalysisState> {
  const known = states.get(id);
  if (known) return known;
  const result = await keptAnalysis(id);
  return result ? { ...plain(id), state: "done", result } : plain(id);
}

/** Begin an analysis unless it is under way or done. */
export async function begin(id: string, record: Recorded): Promise<AnalysisState> {
  const known = await look(id);
  if (known.state !== "none" && known.state !== "failed") return known;
  const total = record.rounds.reduce((sum, { turns }) => sum + turns.length, 0);
  const set = (change: Partial<AnalysisState>): AnalysisState => {
    const next = { ...(states.get(id) ?? plain(id)), ...change };
    states.set(id, next);
    return next;
  };
  const running = set({ state: "running", done: 0, total, why: null });
  let done = 0;
  analyse(record, () => set({ done: ++done })).then(
    async (result) => {
      set({ state: "done", result });
      await keepAnalysis(id, result).catch(() => undefined);
    },
    (error: unknown) => set({ state: "failed", why: (error as Error).message }),
  );
  return running;
}

/** Begin the analysis of a record from a file; equal records have the same id. */
export async function beginRecord(record: Recorded): Promise<AnalysisState> {
  const bytes = new TextEncoder().encode(JSON.stringify(record));
  // There is no digest on a page that is not served safely.
  const digest = await crypto.subtle?.digest("SHA-256", bytes);
  const name = digest
    ? hexText([...new Uint8Array(digest)]).slice(0, 32)
    : String(Math.random()).slice(2);
  return begin(`record-${name}`, record);
}

/** Analyse a match; *progress* is called after every ply. */
export async function analyse(
  record: Recorded,
  progress: () => void,
  most = MOST_WORKERS,
): Promise<Analysis> {
  const plies = record.rounds.flatMap(({ turns }, round) =>
    Array.from({ length: turns.length + 1 }, (_, ply) => ({ round: round + 1, ply })),
  );
  const found: Assessment[][] = record.rounds.map(() => []);
  const count = Math.max(1, Math.min(most, navigator.hardwareConcurrency || 1, plies.length));
  const analysts = Array.from({ length: count }, () => new Analyst());
  try {
    const work = async (analyst: Analyst): Promise<void> => {
      await analyst.ask({ record });
      for (let next = plies.shift(); next; next = plies.shift()) {
        const { assessment } = (await analyst.ask(next)) as { assessment: Assessment };
        (found[next.round - 1] as Assessment[])[next.ply] = assessment;
        if (next.ply < (record.rounds[next.round - 1]?.turns.length ?? 0)) progress();
      }
    };
    await Promise.all(analysts.map(work));
    const rounds: RoundFindings[] = [];
    for (const [index, assessed] of found.entries()) {
      const answer = await analysts[0]?.ask({ round: index + 1, found: assessed });
      const { chances } = answer as Extract<Finding, { chances: unknown }>;
      rounds.push({ plies: assessed, chances });
    }
    return analysisOf(record, rounds);
  } finally {
    for (const analyst of analysts) analyst.end();
  }
}

/** One of the Workers; it answers one question after the other. */
class Analyst {
  readonly #worker = new Worker(new URL("./analyst.ts", import.meta.url), { type: "module" });

  ask(task: Task): Promise<Finding> {
    return new Promise((resolve, reject) => {
      this.#worker.onmessage = ({ data }: MessageEvent<Told>) =>
        "why" in data ? reject(new Error(data.why)) : resolve(data.finding);
      this.#worker.onerror = () => reject(new Error("a Worker failed"));
      this.#worker.postMessage(task);
    });
  }

  end(): void {
    this.#worker.terminate();
  }
}
