/**
 * Pads as CSV for spreadsheets.
 *
 * One column for each field of a line, then one for each person's total. Tiles are written with
 * spaces, because a spreadsheet reads 1-3-4 as a date.
 */
import { isObject } from "../json";
import type { Json } from "../net/types";
import { FileError, readAct, type ReadRules } from "./jsonFile";
import { sheetOf, type Act, type Entry, type Rack } from "./pad";
import { isComplete, readRules, readRules1 } from "./rules";

export const COLUMNS = [
  ...["round", "line", "entry", "player", "tile", "sum", "triple", "bonus", "draws", "how"],
  ...["left", "points", "note"],
];

const FORMULA = /^['=+\-@\t\r\n＝＋－＠]/;

/** Text that no spreadsheet reads as a formula. */
export const defused = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
const undefused = (text: string): string => (text.startsWith("'") ? text.slice(1) : text);

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

function rackCell(rack: Rack): string {
  if (Array.isArray(rack))
    return rack.map((tile) => tile.replaceAll("-", " ")).join(", ") || "none";
  return rack.count === undefined ? String(rack.points) : `${rack.points} in ${rack.count}`;
}

function cellsOf(entry: Entry): Record<string, string> {
  const cells: Record<string, string> = { entry: entry.do };
  if (entry.do === "turn") {
    if (entry.tile !== undefined) cells["tile"] = entry.tile.replaceAll("-", " ");
    if (entry.sum !== undefined) cells["sum"] = String(entry.sum);
    if (entry.triple) cells["triple"] = "yes";
    if (entry.bonus) cells["bonus"] = entry.bonus;
    if (entry.draws) cells["draws"] = String(entry.draws);
    if (entry.how) cells["how"] = entry.how;
  }
  if ("left" in entry) cells["left"] = entry.left.map(rackCell).join(" | ");
  if (entry.do === "setup") {
    const { rules, names, rounds } = entry;
    cells["note"] = JSON.stringify({ rules, names, ...(rounds === undefined ? {} : { rounds }) });
  }
  if (entry.do === "players")
    cells["note"] = JSON.stringify({ names: entry.names, seats: entry.seats });
  return cells;
}

/** The current lines with points and totals; undone acts are left out. */
export function padToCsv(log: readonly Act[]): string {
  const { names, lines } = sheetOf(log);
  const rows = [[...COLUMNS, ...names.map(defused)]];
  let before: number[] = [];
  lines.forEach(({ round, entry, totals }, number) => {
    const cells = cellsOf(entry);
    cells["round"] = String(round);
    cells["line"] = String(number);
    const person = "person" in entry ? entry.person : null;
    if (person !== null) {
      cells["player"] = defused(names[person] ?? "");
      cells["points"] = String((totals[person] ?? 0) - (before[person] ?? 0));
    }
    rows.push([
      ...COLUMNS.map((name) => cells[name] ?? ""),
      ...names.map((_, at) => (at < totals.length ? String(totals[at]) : "")),
    ]);
    before = [...totals];
  });
  return rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
}

/** The rows of CSV text, or `null` if a quote is never closed. */
export function readCsv(text: string): string[][] | null {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let inside = false;
  const endRow = (): void => {
    row.push(cell);
    rows.push(row);
    [row, cell] = [[], ""];
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (inside) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += sign;
        at++;
      } else inside = false;
    } else if (sign === '"' && cell === "") inside = true;
    else if (sign === ",") {
      row.push(cell);
      cell = "";
    } else if (sign === "\n" || sign === "\r") {
      if (sign === "\r" && text[at + 1] === "\n") at++;
      endRow();
    } else cell += sign;
  }
  if (inside) return null;
  if (cell !== "" || row.length) endRow();
  return rows;
}

function whole(text: string, place: string): number {
  if (!/^\s*-?\d{1,6}\s*$/.test(text)) throw new FileError(place);
  return Number(text);
}

function rackFromCell(text: string, place: string): unknown {
  if (text === "none") return [];
  if (/^[0-5] [0-5] [0-5](, [0-5] [0-5] [0-5])*$/.test(text))
    return text.split(", ").map((tile) => tile.replaceAll(" ", "-"));
  const [points, count] = text.split(" in ");
  return {
    points: whole(points ?? "", place),
    ...(count === undefined ? {} : { count: whole(count, place) }),
  };
}

// CSV names no version, but only version 1 left out the rules of the edition.
const readAnyRules: ReadRules = (value) =>
  isComplete(value) ? readRules(value) : readRules1(value);

/** Read a log written by {@link padToCsv}; points and totals are computed again. */
export function padFromCsv(text: string): Act[] {
  const rows = readCsv(text.replace(/^\ufeff/, ""));
  const header = rows?.[0];
  if (!rows || header?.slice(0, COLUMNS.length).join() !== COLUMNS.join()) throw new FileError("1");
  const names = header.slice(COLUMNS.length).map(undefused);
  const log = rows.slice(1).flatMap((row, index) => {
    if (!row.some(Boolean)) return [];
    const place = String(index + 2);
    const cell = (name: string): string => row[COLUMNS.indexOf(name)] ?? "";
    const out: Json = { do: cell("entry") };
    if (cell("note")) {
      let note: unknown;
      try {
        note = JSON.parse(cell("note"));
      } catch {
        throw new FileError(place);
      }
      if (!isObject(note)) throw new FileError(place);
      Object.assign(out, note);
    }
    if (cell("player")) {
      const person = names.indexOf(undefused(cell("player")));
      if (person < 0) throw new FileError(place);
      out["person"] = person;
    }
    if (cell("tile")) out["tile"] = cell("tile").trim().replaceAll(" ", "-");
    for (const name of ["bonus", "how"]) if (cell(name)) out[name] = cell(name);
    for (const name of ["sum", "draws"]) if (cell(name)) out[name] = whole(cell(name), place);
    if (cell("triple")) out["triple"] = true;
    if (cell("left"))
      out["left"] = cell("left")
        .split("|")
        .map((part) => rackFromCell(part.trim(), place));
    if (out["do"] === "extra") out["points"] = whole(cell("points"), place);
    return [readAct(out, place, readAnyRules)];
  });
  sheetOf(log);
  return log;
}
