/** The puzzles that ship, by day: see `triomino.puzzles` in Python for the format. */
import { placeText, type Numbers } from "../board/geometry";
import type { HintReason } from "../net/types";

export const KINDS = ["bonus", "block", "out", "ending", "draw"] as const;
export type Kind = (typeof KINDS)[number];

export interface Answer {
  move: string;
  /** The chance to win the round with it, in per cent. */
  win: number;
  /** What the other player does then; `null` if the round ends, or the turn goes on. */
  reply: string | null;
  /** After a wrong draw: the tiles drawn, and how the turn ends. */
  drawn?: string[];
  then?: string;
}

export interface Puzzle {
  kind: Kind;
  level: 1 | 2 | 3;
  board: string[];
  /** The solver's own tiles, and those of the other player. */
  racks: [string[], string[]];
  pool: number;
  scores: [number, number];
  /** Every legal move, the solution first. */
  answers: Answer[];
  why: HintReason[];
}

export interface Stored {
  kind: string;
  level: number;
  board: string;
  racks: string[];
  pool: number;
  scores: number[];
  answers: string;
  why: object[];
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const ORIGIN = 16;
const DAY = 86_400_000;

const parts = (text: string, size: number): string[] =>
  text.match(new RegExp(`.{${size}}`, "g")) ?? [];

function readPlace(text: string): string {
  const row = DIGITS.indexOf(text[1] ?? "");
  const cell = {
    x: DIGITS.indexOf(text[0] ?? "") - ORIGIN,
    y: (row >> 1) - ORIGIN / 2,
    down: row % 2 === 1,
  };
  return placeText({ cell, numbers: [...text.slice(2)].map(Number) as unknown as Numbers });
}

const readMove = (text: string): string => (/\d/.test(text) ? readPlace(text) : text);
const readTiles = (text: string): string[] => parts(text, 3).map((tile) => [...tile].join("-"));

export function readPuzzle(stored: Stored): Puzzle {
  const { kind, level, board, racks, pool, scores, answers, why } = stored;
  return {
    kind: kind as Kind,
    level: level as Puzzle["level"],
    board: parts(board, 5).map(readPlace),
    racks: racks.map(readTiles) as Puzzle["racks"],
    pool,
    scores: scores as Puzzle["scores"],
    answers: answers.split(" ").map((text) => {
      const [move = "", win, reply, drawn, then] = text.split(":");
      return {
        ...{ move: readMove(move), win: Number(win), reply: reply ? readMove(reply) : null },
        ...(drawn && then ? { drawn: readTiles(drawn), then: readMove(then) } : {}),
      };
    }),
    why: why as HintReason[],
  };
}

export interface Year {
  epoch: string;
  puzzles: Stored[];
}

/** The file is loaded when the first puzzle is shown. */
export const loadYear = async (): Promise<Year> =>
  (await import("../../../../src/triomino/puzzles/year.json")).default;

/** A date as a number of days: the calendar of the device, whatever its time zone. */
export const dayOf = (date: Date): number =>
  Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY);

/** Noon of a day on this device, to be shown as a date. */
export function momentOf(day: number): number {
  const date = new Date(day * DAY);
  return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), 12).getTime();
}

/** The puzzle of a day; after the last one comes the first again. */
export function puzzleOf({ epoch, puzzles }: Year, day: number): Puzzle {
  const number = (day - Date.parse(epoch) / DAY) % puzzles.length;
  return readPuzzle(puzzles[(number + puzzles.length) % puzzles.length] as Stored);
}

/** A day as text like 2026-11-18, and back; `null` if it is none. */
export const dayText = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);
export function readDay(text: string): number | null {
  const moment = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(moment) ? null : Math.round(moment / DAY);
}
