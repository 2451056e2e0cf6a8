import { beforeAll, describe, expect, it } from "vitest";
import { withWords } from "../language.svelte";
import { posterSvg } from "../poster/poster";
import { pictureOf } from "./picture";
import { readDiary, solvedCount, streak, write, type Diary } from "./diary";
import { PuzzleTable } from "./puzzleTable.svelte";
import { dayOf, dayText, KINDS, loadYear, momentOf, puzzleOf, readDay, readPuzzle } from "./year";

const year = await loadYear();
beforeAll(() => withWords(Promise.resolve(), "main", "puzzle"));
const solved = { wrong: 0, solved: true };
const DAY = 20_775; // 2026-11-18

describe("the year", () => {
  it("has a puzzle for every day, the same for everybody", () => {
    expect(year.puzzles).toHaveLength(366);
    expect(dayText(DAY)).toBe("2026-11-18");
    expect(puzzleOf(year, DAY)).toEqual(readPuzzle(year.puzzles[317] as never));
    expect(puzzleOf(year, DAY + 366)).toEqual(puzzleOf(year, DAY));
    expect(puzzleOf(year, readDay(year.epoch) as number)).toEqual(
      readPuzzle(year.puzzles[0] as never),
    );
    expect(puzzleOf(year, (readDay(year.epoch) as number) - 1)).toEqual(
      readPuzzle(year.puzzles[365] as never),
    );
  });

  it("is read as the library writes it", () => {
    for (const stored of year.puzzles) {
      const puzzle = readPuzzle(stored);
      expect(KINDS).toContain(puzzle.kind);
      for (const text of puzzle.board) expect(text).toMatch(/^[UD]\(-?\d+,-?\d+\)=\d-\d-\d$/);
      for (const tile of puzzle.racks.flat()) expect(tile).toMatch(/^\d-\d-\d$/);
      const [best, ...others] = puzzle.answers;
      for (const { win } of others) expect(win).toBeLessThan(best?.win as number);
    }
  });

  it("takes a day from the calendar of the device", () => {
    expect(dayOf(new Date(2026, 10, 18, 0, 0, 1))).toBe(DAY);
    expect(dayOf(new Date(2026, 10, 18, 23, 59, 59))).toBe(DAY);
    expect(new Date(momentOf(DAY)).getDate()).toBe(18);
    expect(readDay("2026-11-18")).toBe(DAY);
    expect(readDay("today")).toBeNull();
    expect(readDay("2026-13-45")).toBeNull();
  });
});

describe("the diary", () => {
  const diary: Diary = { [DAY - 3]: solved, [DAY - 2]: solved, [DAY - 1]: solved };

  it("counts days in a row, while today's is still open and when it is done", () => {
    expect(streak({}, DAY)).toBe(0);
    expect(streak(diary, DAY)).toBe(3);
    expect(streak({ ...diary, [DAY]: solved }, DAY)).toBe(4);
    expect(streak(diary, DAY + 1)).toBe(0);
    expect(streak({ ...diary, [DAY - 2]: { wrong: 1, solved: false } }, DAY)).toBe(1);
    expect(solvedCount(diary)).toBe(3);
  });

  it("keeps what was solved and reads what it wrote, damaged or not", () => {
    const written = write(diary, DAY, { wrong: 2, solved: true });
    expect(write(written, DAY, { wrong: 5, solved: false })).toEqual(written);
    expect(readDiary(JSON.stringify(written))).toEqual(written);
    for (const text of [null, "", "no", "[]", "7", '{"a":1,"5":{"wrong":"x"},"6":null}'])
      expect(readDiary(text)).toEqual({});
  });
});

describe("the picture to share", () => {
  it("shows the board, one's own tiles and the question, whatever the answer is", () => {
    for (const puzzle of year.puzzles.map(readPuzzle)) {
      const picture = pictureOf(puzzle, DAY, 3, "");
      expect(picture.places).toHaveLength(puzzle.board.length);
      const drawn = posterSvg(picture);
      // The same position with every answer the other way round, no reasons, and another rack.
      const [own] = puzzle.racks;
      const other = {
        ...puzzle,
        answers: [...puzzle.answers].reverse(),
        why: [],
        level: 1 as const,
      };
      expect(posterSvg(pictureOf({ ...other, racks: [own, []] }, DAY, 3, ""))).toBe(drawn);
    }
  });
});

describe("a puzzle", () => {
  const puzzle = year.puzzles.map(readPuzzle).find(({ answers }) => answers[1]?.reply);
  if (!puzzle) throw new Error("none has a reply");
  const [best, second] = puzzle.answers;

  it("shows the reply to a wrong answer, and may be tried again", () => {
    const table = new PuzzleTable(puzzle);
    expect(table.known?.now?.choices?.map(({ move }) => move)).toContain(best?.move);
    expect(table.known?.now?.choices?.every((choice) => !("points" in choice))).toBe(true);
    table.move(second?.move ?? "");
    expect(table.phase).toBe("wrong");
    expect(table.wrong).toBe(1);
    expect(table.known?.turns.at(-1)).toMatchObject({ seat: 1, move: second?.reply });
    table.move(best?.move ?? "");
    expect(table.phase).toBe("wrong");
    table.restart();
    expect(table.known?.turns).toHaveLength(puzzle.board.length);
    table.move("U(60,60)=0-0-0");
    expect(table.phase).toBe("open");
    table.move(best?.move ?? "");
    expect(table.phase).toBe("solved");
    expect(table.known?.turns.at(-1)).toMatchObject({ seat: 0, move: best?.move });
  });

  it("shows what is drawn, how that turn ends and the reply after a wrong draw", () => {
    const wrong = year.puzzles
      .map(readPuzzle)
      .flatMap((one) => one.answers.slice(1).map((answer) => ({ one, answer })))
      .filter(({ answer }) => answer.move === "draw");
    expect(wrong.length).toBeGreaterThan(40);
    for (const { one, answer } of wrong) {
      const table = new PuzzleTable(one);
      table.move("draw");
      expect(table.phase).toBe("wrong");
      const { drawn = [], then = "", reply } = answer;
      const turns = (table.known?.turns ?? []).slice(one.board.length);
      expect(turns.map(({ move }) => move)).toEqual([
        ...drawn.map(() => "draw"),
        ...[then, ...(reply === null ? [] : [reply])],
      ]);
      expect(turns.filter(({ tile }) => tile).map(({ tile }) => tile)).toEqual(drawn);
      expect(turns[0]?.points).toBe(-5);
      const now = table.known?.now;
      const lays = (move: string | null): number => Number(move?.includes("=") ?? false);
      const theirs = Number(reply === "draw");
      expect(now?.pool_size).toBe(one.pool - drawn.length - theirs);
      expect(now?.rack_sizes).toEqual([
        one.racks[0].length + drawn.length - lays(then),
        one.racks[1].length + theirs - lays(reply),
      ]);
    }
  });

  it("can be given up", () => {
    const table = new PuzzleTable(puzzle);
    table.show();
    expect(table.phase).toBe("shown");
    expect(table.given?.move).toBe(best?.move);
  });
});
