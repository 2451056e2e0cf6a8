import { describe, expect, it } from "vitest";
import vectors from "../../../../tests/ledger/vectors.json";
import type { Json } from "../net/types";
import { Ledger, type EndReason } from "./ledger";
import { rulesOf } from "./rules";

type Step = { then: Json } & (
  | { do: "start"; seat: number }
  | { do: "enter"; scores: [number, number][] }
  | { do: "close"; reason: EndReason; seats: number[] }
  | { do: "round" }
  | { do: "abandon"; seat: number | null }
  | { do: "seats"; seats: number[]; people: number }
);
interface Vector {
  name: string;
  rules: Json;
  players: number;
  totals?: number[];
  latched?: boolean;
  most_rounds?: number;
  steps: Step[];
}

function take(ledger: Ledger, step: Step): Ledger {
  switch (step.do) {
    case "start":
      return ledger.startedBy(step.seat);
    case "enter":
      return ledger.after(step.scores.map(([seat, points]) => ({ seat, points })));
    case "close":
      return ledger.close(step.reason, step.seats);
    case "round":
      return ledger.nextRound();
    case "abandon":
      return ledger.abandon(step.seat);
    case "seats":
      return ledger.seated(step.seats, step.people);
  }
}

const shown = (ledger: Ledger): Json => ({
  totals: ledger.totals,
  points: ledger.points,
  round: ledger.round,
  entries: ledger.entries,
  starter: ledger.starter,
  latched_at: ledger.latchedAt,
  end_winners: ledger.end?.winners ?? null,
  is_last_round: ledger.isLastRound,
  is_over: ledger.isOver,
  leaders: ledger.leaders,
  winners: ledger.winners,
  next_starter: ledger.nextStarter,
});

describe("the ledger stands where the library's does", () => {
  it.each(vectors as unknown as Vector[])(
    "$name",
    ({ rules, players, totals, latched, most_rounds: mostRounds, steps }) => {
      let ledger = Ledger.open(rulesOf(rules), players, { totals, latched, mostRounds });
      steps.forEach((step, at) => {
        ledger = take(ledger, step);
        expect(shown(ledger), `step ${at}`).toEqual(step.then);
      });
    },
  );
});
