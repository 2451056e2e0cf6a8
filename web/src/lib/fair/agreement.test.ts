/**
 * The page says of a deal what `triomino verify` says.
 *
 * `tests/test_fair_page.py` writes the cases and says in VITE_FAIR_CASES where they are.
 */
import { expect, it } from "vitest";
import type { MatchRecord } from "../replay/record";
import { checkDeal, type Claim } from "./check";
import type { Receipt } from "./receipts";

interface Case {
  name: string;
  record: MatchRecord;
  receipt: Record<string, any> | null;
  /** What `verify` says; `null` if it refuses the record. */
  verified: Record<string, unknown> | null;
}

const file = import.meta.env["VITE_FAIR_CASES"] as string | undefined;
const cases: Case[] = file
  ? ((await import(/* @vite-ignore */ file)) as { default: Case[] }).default
  : [];

/** The receipt of a file as the page keeps it. */
function kept(file: Record<string, any>): Receipt {
  const { server, public_key, commitment, seed, revealed, ...texts } = file;
  const signed = ["opening", "opening_signature", "transcript", "signature"].flatMap((name) =>
    name in texts ? [[name, texts[name] as string]] : [],
  );
  return {
    seats: [0],
    commitment: server,
    public_key,
    parts: [{ commitment, seed, revealed, accepted: true }],
    ...(Object.fromEntries(signed) as Partial<Receipt>),
  };
}

const inPython = ({ kind, mine, seats, withheld, choices }: Claim): unknown => ({
  case: kind,
  seats,
  withheld,
  choices,
  own: mine === "unknown" ? null : mine,
});

if (!cases.length) it.skip("has no cases here");
it.each(cases)("$name", ({ record, receipt, verified }) => {
  const { claim } = checkDeal(record, receipt && kept(receipt));
  expect(claim.kind === "wrong" ? null : inPython(claim)).toEqual(verified);
});
