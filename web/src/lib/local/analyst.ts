/** A Worker that analyses a match together with others: see `analyses.ts`. */
import { loadKernel } from "../kernel/load";
import { EFFORTS, type Assessment, type Chances, type KernelMatch } from "../kernel/match";
import { calibrationOf, matchOf, type Recorded } from "./review";

/** What it is asked: first the record, then plies, then the chances of rounds. */
export type Task =
  { record: Recorded } | { round: number; ply: number } | { round: number; found: Assessment[] };
export type Finding = { assessment: Assessment } | { chances: Chances } | { ready: true };
export type Told = { finding: Finding } | { why: string };

let given: { record: Recorded; match: KernelMatch } | null = null;

async function carryOut(task: Task): Promise<Finding> {
  if ("record" in task) {
    given = { record: task.record, match: matchOf(task.record, await loadKernel(true)) };
    return { ready: true };
  }
  if (!given) throw new Error("there is no match yet");
  const { record, match } = given;
  if ("ply" in task) return { assessment: match.assess(task.round, task.ply, EFFORTS.review) };
  return { chances: match.chances(task.round, calibrationOf(record), task.found) };
}

onmessage = ({ data }: MessageEvent<Task>) =>
  void carryOut(data).then(
    (finding) => postMessage({ finding } satisfies Told),
    (error: unknown) => postMessage({ why: String((error as Error).message) } satisfies Told),
  );
