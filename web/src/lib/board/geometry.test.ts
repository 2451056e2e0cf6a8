import { describe, expect, it } from "vitest";
import {
  arc,
  cellText,
  extent,
  hexagons,
  middle,
  neighbours,
  openCells,
  parsePlace,
  placeText,
  pointsOf,
  ring,
  ROW_HEIGHT,
  SHAPES,
  SIDE,
  sideOf,
  span,
  tileOf,
  turnCell,
  turnedTo,
  turnPlace,
  vertexText,
  vertices,
  type Cell,
  type Place,
} from "./geometry";

const place = (text: string): Place => parsePlace(text) as Place;
const some: Cell[] = [-2, 0, 3].flatMap((x) =>
  [-1, 0, 2].flatMap((y) => [false, true].map((down) => ({ x, y, down }))),
);

describe("notation", () => {
  it("reads what it writes", () => {
    for (const text of ["U(0,0)=1-3-4", "D(-1,12)=0-0-5"])
      expect(placeText(place(text))).toBe(text);
  });
  it("refuses what is no placement", () => {
    for (const text of ["draw", "", "U(0,0)=1-3", "X(0,0)=1-2-3"])
      expect(parsePlace(text)).toBeNull();
  });
  it("names a tile by its smallest rotation", () => {
    expect(tileOf([4, 1, 3])).toBe("1-3-4");
    expect(tileOf([5, 0, 0])).toBe("0-0-5");
    expect(pointsOf("1-3-4")).toBe(8);
  });
});

describe("the lattice", () => {
  it("has neighbours that share the two points of their edge", () => {
    for (const cell of some)
      neighbours(cell).forEach((other, edge) => {
        const own = vertices(cell).map(vertexText);
        const theirs = vertices(other).map(vertexText);
        const shared = [own[edge], own[(edge + 1) % 3]];
        expect(own.filter((name) => theirs.includes(name)).sort()).toEqual([...shared].sort());
        expect(neighbours(other).map(cellText)).toContain(cellText(cell));
      });
  });
  it("has six cells round a point, each with that point", () => {
    const cells = ring([2, -1]);
    expect(new Set(cells.map(cellText)).size).toBe(6);
    for (const cell of cells) expect(vertices(cell).map(vertexText)).toContain("2,-1");
  });
  it("draws upwards what is above", () => {
    expect(middle({ x: 0, y: 1, down: false })[1]).toBeLessThan(
      middle({ x: 0, y: 0, down: false })[1],
    );
    expect(extent([{ x: 0, y: 0, down: false }])).toEqual({
      left: 0,
      right: SIDE,
      top: -ROW_HEIGHT * SIDE,
      bottom: -0,
    });
  });
});

const FLOWER = [
  "U(0,0)=3-5-5",
  "D(-1,0)=3-2-5",
  "U(-1,0)=1-2-3",
  "D(-1,-1)=3-1-3",
  "U(0,-1)=3-3-4",
].map(place);
const CLOSING = place("D(0,-1)=4-3-5");

describe("a board", () => {
  it("finds closed hexagons", () => {
    expect(hexagons(FLOWER)).toEqual([]);
    expect(hexagons([...FLOWER, CLOSING]).map((one) => one.value)).toEqual([3]);
  });
  it("knows the open cells beside it", () => {
    expect(openCells([place("U(0,0)=1-3-4")]).map(cellText)).toEqual([
      "D(-1,0)",
      "D(0,0)",
      "D(0,-1)",
    ]);
    expect(openCells(FLOWER).map(cellText)).toContain("D(0,-1)");
  });
  it("turns a tile to fit the points that are there", () => {
    expect(placeText(turnedTo("3-5-4", CLOSING.cell, FLOWER))).toBe("D(0,-1)=4-3-5");
  });
  it("finds what a bridge joins", () => {
    const laid = ["U(0,0)=1-2-3", "U(1,-2)=4-0-5"].map(place);
    const bridge = place("D(0,-1)=0-1-3");
    const found = span([...laid, bridge], bridge);
    expect(found && [vertexText(found.at), found.value, cellText(found.end)]).toEqual([
      "1,-1",
      0,
      "U(1,-2)",
    ]);
    expect(span([laid[0] as Place, place("D(0,0)=3-2-2")], place("D(0,0)=3-2-2"))).toBeNull();
  });
});

describe("outlines", () => {
  it("have three kites, three numbers and stay inside their cell", () => {
    for (const shape of Object.values(SHAPES)) {
      expect(shape.kites).toHaveLength(3);
      for (const [x, y] of shape.digits) expect(Math.hypot(x, y)).toBeLessThan(SIDE / Math.sqrt(3));
      expect(shape.body).toMatch(/^M.*Z$/);
      expect(shape.body).not.toContain("NaN");
    }
  });
  it("go the shorter way round", () => {
    const { path } = arc([0, 0], 10, [10, 0], [0, 10], 0);
    expect(path).toBe("M10 0A10 10 0 0 1 0 10");
  });
});

describe("a turned board", () => {
  const board = ["U(0,0)=1-3-4", "D(0,0)=4-3-5", "U(1,0)=4-5-0", "D(-1,0)=1-2-3"].map(place);

  it("is itself after six turns", () => {
    let turned = board;
    for (let step = 0; step < 6; step++) turned = turned.map((one) => turnPlace(one, 1));
    expect(turned).toEqual(board);
    expect(board.map((one) => turnPlace(one, 5))).toEqual(board.map((one) => turnPlace(one, -1)));
  });
  it("keeps its tiles and their neighbours, and agrees at every point", () => {
    for (let steps = 0; steps < 6; steps++) {
      const turned = board.map((one) => turnPlace(one, steps));
      expect(turned.map(({ numbers }) => tileOf(numbers))).toEqual(
        board.map(({ numbers }) => tileOf(numbers)),
      );
      const numbers = new Map<string, number>();
      for (const one of turned)
        vertices(one.cell).forEach((vertex, index) => {
          const value = one.numbers[index] as number;
          expect(numbers.get(vertexText(vertex)) ?? value).toBe(value);
          numbers.set(vertexText(vertex), value);
        });
      expect(numbers.size).toBe(6);
      expect(turned.map(({ cell }) => cell)).toEqual(
        board.map(({ cell }) => turnCell(cell, steps)),
      );
    }
  });
  it("points down after one step where it pointed up", () => {
    for (const cell of some) {
      expect(turnCell(cell, 1).down).toBe(!cell.down);
      const [before, after] = [middle(cell), middle(turnCell(cell, 1))];
      expect(Math.hypot(...after)).toBeCloseTo(Math.hypot(...before));
    }
  });
});

describe("arrows", () => {
  it("lead to the neighbour that lies there", () => {
    for (const cell of some)
      for (const arrow of ["left", "right", "up", "down"] as const) {
        const side = sideOf(cell, arrow);
        if (side === null) {
          expect(arrow).toBe(cell.down ? "down" : "up");
          continue;
        }
        const [x, y] = middle(cell);
        const [ox, oy] = middle(neighbours(cell)[side] as Cell);
        if (arrow === "left") expect(ox).toBeLessThan(x);
        if (arrow === "right") expect(ox).toBeGreaterThan(x);
        if (arrow === "up") expect(oy).toBeLessThan(y);
        if (arrow === "down") expect(oy).toBeGreaterThan(y);
      }
  });
});
