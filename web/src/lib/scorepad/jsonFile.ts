/** Pads as JSON files, `triomino-pad/2`, with every act; reads version 1, too. */
import type { Json } from "../net/types";
import { isObject } from "../json";
import { readTile, tileOf } from "../board/geometry";
import { sheetOf, type Act, type How, type Rack, type Turn } from "./pad";
import { BONUSES, readRules, readRules1, type Bonus, type Rules } from "./rules";

export const FORMAT = "triomino-pad/2";
const FORMAT_1 = "triomino-pad/1";
const MOST_ACTS = 20_000;

/** The text is not a valid pad; `place` says where. */
export class FileError extends Error {
  constructor(public readonly place: string) {
    super(place);
  }
}

export const padToJson = (log: readonly Act[], extra: Json = {}): string =>
  JSON.stringify({ format: FORMAT, log, ...(Object.keys(extra).length ? { extra } : {}) });

const KEYS: Record<string, [required: string[], optional: string[]]> = {
  setup: [["rules", "names"], ["rounds"]],
  players: [["names", "seats"], []],
  turn: [["person"], ["tile", "sum", "triple", "bonus", "draws", "how"]],
  out: [["person", "left"], []],
  blocked: [["left"], []],
  abandoned: [[], ["person"]],
  extra: [["person", "points"], []],
  correct: [["line", "with"], []],
  undo: [[], []],
  redo: [[], []],
};

class Reader {
  constructor(
    private readonly data: Json,
    private readonly place: string,
  ) {}

  wrong(key: string): FileError {
    return new FileError(`${this.place}.${key}`);
  }
  has(key: string): boolean {
    return key in this.data;
  }
  number(key: string, least: number, most: number): number {
    const value = this.data[key];
    if (!Number.isInteger(value) || (value as number) < least || (value as number) > most)
      throw this.wrong(key);
    return value as number;
  }
  list(key: string): unknown[] {
    const value = this.data[key];
    if (!Array.isArray(value)) throw this.wrong(key);
    return value;
  }
  texts(key: string): string[] {
    const value = this.list(key);
    if (!value.every((one) => typeof one === "string")) throw this.wrong(key);
    return value as string[];
  }
  one<T extends string>(key: string, known: readonly T[]): T {
    const value = this.data[key];
    if (!known.includes(value as T)) throw this.wrong(key);
    return value as T;
  }
  flag(key: string): boolean {
    const value = this.data[key];
    if (typeof value !== "boolean") throw this.wrong(key);
    return value;
  }
  value(key: string): unknown {
    return this.data[key];
  }
}

function readName(value: unknown): string | null {
  return typeof value === "string" && /^[0-5]-[0-5]-[0-5]$/.test(value)
    ? tileOf(readTile(value))
    : null;
}

function readRack(value: unknown, place: string): Rack {
  if (Array.isArray(value))
    return value.map((one) => {
      const tile = readName(one);
      if (tile === null) throw new FileError(place);
      return tile;
    });
  if (!isObject(value)) throw new FileError(place);
  const reader = new Reader(value, place);
  if (Object.keys(value).some((key) => !["points", "count", "extra"].includes(key)))
    throw new FileError(place);
  const points = reader.number("points", 0, 1e9);
  return reader.has("count") ? { points, count: reader.number("count", 0, 1e9) } : { points };
}

function readTurn(reader: Reader): Turn {
  const turn: Turn = { do: "turn", person: reader.number("person", 0, 99) };
  if (reader.has("tile")) {
    const tile = readName(reader.value("tile"));
    if (tile === null || reader.has("sum")) throw reader.wrong("tile");
    turn.tile = tile;
  } else if (reader.has("sum")) {
    turn.sum = reader.number("sum", 0, 15);
    if (reader.has("triple") && reader.flag("triple")) turn.triple = true;
  }
  if (reader.has("bonus")) turn.bonus = reader.one<Bonus>("bonus", BONUSES);
  if (reader.has("draws")) {
    const draws = reader.number("draws", 0, 1e9);
    if (draws) turn.draws = draws;
  }
  if (reader.has("how")) turn.how = reader.one<How>("how", ["pass", "end", "keep"]);
  return turn;
}

export type ReadRules = (value: unknown) => Rules | null;

/** Read one act from plain data; unknown keys are refused. */
export function readAct(value: unknown, place: string, readRules: ReadRules): Act {
  if (!isObject(value) || typeof value["do"] !== "string" || !Object.hasOwn(KEYS, value["do"]))
    throw new FileError(place);
  const name = value["do"] as Act["do"];
  const [required, optional] = KEYS[name] as [string[], string[]];
  const known = ["do", "extra", ...required, ...optional];
  if (Object.keys(value).some((key) => !known.includes(key))) throw new FileError(place);
  if (required.some((key) => !(key in value))) throw new FileError(place);
  const reader = new Reader(value, place);
  switch (name) {
    case "undo":
    case "redo":
      return { do: name };
    case "correct": {
      const entries = reader.list("with").map((one, at) => {
        const act = readAct(one, `${place}.with[${at}]`, readRules);
        if (act.do === "correct" || act.do === "undo" || act.do === "redo")
          throw new FileError(`${place}.with[${at}]`);
        return act;
      });
      return { do: name, line: reader.number("line", 0, 1e9), with: entries };
    }
    case "setup": {
      const rules = readRules(reader.value("rules"));
      if (rules === null) throw reader.wrong("rules");
      const limit = reader.has("rounds") ? { rounds: reader.number("rounds", 1, 99) } : {};
      return { do: name, rules, names: reader.texts("names"), ...limit };
    }
    case "players": {
      const seats = reader.list("seats");
      if (
        !seats.every(
          (one) => Number.isInteger(one) && (one as number) >= 0 && (one as number) < 100,
        )
      )
        throw reader.wrong("seats");
      return { do: name, names: reader.texts("names"), seats: seats as number[] };
    }
    case "turn":
      return readTurn(reader);
    case "out":
    case "blocked": {
      const left = reader.list("left").map((one) => readRack(one, `${place}.left`));
      if (name === "blocked") return { do: name, left };
      return { do: name, person: reader.number("person", 0, 99), left };
    }
    case "abandoned": {
      const nobody = !reader.has("person") || reader.value("person") === null;
      return { do: name, person: nobody ? null : reader.number("person", 0, 99) };
    }
    case "extra":
      return {
        do: name,
        person: reader.number("person", 0, 99),
        points: reader.number("points", -1e9, 1e9),
      };
  }
}

/** Read a valid log from JSON text. */
export function padFromJson(text: string): Act[] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new FileError("");
  }
  if (!isObject(data) || !Array.isArray(data["log"])) throw new FileError("format");
  if (data["format"] === FORMAT) return readLog(data["log"]);
  if (data["format"] === FORMAT_1) return readLog(data["log"], readRules1);
  throw new FileError("format");
}

/** Read a valid log from plain data, with the reader for the rules of its version. */
export function readLog(data: readonly unknown[], rules: ReadRules = readRules): Act[] {
  if (data.length > MOST_ACTS) throw new FileError("log");
  const log = data.map((one, at) => readAct(one, `log[${at}]`, rules));
  sheetOf(log);
  return log;
}
