/** An analysis on the server: requested, polled until it is ready. */
import * as api from "../net/api";
import type { AnalysisState } from "../net/types";
import { type LazyText, t, whyNot } from "../words";

const EVERY = 700;
const AFTER_A_BREAK = 3000;

/** The analysis of a table, shared by everybody who looks at it. */
export const ofTable = (table: string): Job =>
  new Job(
    () => api.analyse(table),
    () => api.analysis(table),
  );

/** The analysis of a record from a file. */
export function ofRecord(record: unknown): Job {
  const job: Job = new Job(
    () => api.analyseRecord(record),
    () => api.recordAnalysis(job.state?.id ?? ""),
  );
  return job;
}

export class Job {
  state = $state.raw<AnalysisState | null>(null);
  problem = $state.raw<LazyText | null>(null);
  #begin: () => Promise<AnalysisState>;
  #look: () => Promise<AnalysisState>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(begin: () => Promise<AnalysisState>, look: () => Promise<AnalysisState>) {
    this.#begin = begin;
    this.#look = look;
  }

  result = $derived.by(() => this.state?.result ?? null);
  isUnderWay = $derived.by(
    () => this.state?.state === "waiting" || this.state?.state === "running",
  );

  /** Request the analysis and poll until it is ready. */
  start(): Promise<void> {
    return this.#ask(this.#begin);
  }

  /** Check whether it is ready or under way. */
  look(): Promise<void> {
    return this.#ask(this.#look);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #ask(how: () => Promise<AnalysisState>): Promise<void> {
    const followed = this.isUnderWay;
    this.problem = null;
    try {
      const now = await how();
      if (now.state === "failed") this.problem = () => t("analysis.failed", { why: now.why ?? "" });
      this.state = now;
      // The server was restarted meanwhile: request it again.
      if (now.state === "none" && followed) this.#soon(EVERY, this.#begin);
      else if (this.isUnderWay) this.#soon(EVERY, this.#look);
    } catch (error) {
      const refusal = error as api.Refusal;
      const { code } = refusal;
      if (followed && code === "offline") this.#soon(AFTER_A_BREAK, this.#look);
      else if (followed || how === this.#begin) {
        this.state = null;
        this.problem = () => whyNot(refusal);
      }
    }
  }

  #soon(milliseconds: number, how: () => Promise<AnalysisState>): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(how), milliseconds);
  }
}
