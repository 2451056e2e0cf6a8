/**
 * The lattice and the outlines of a tile; no rules.
 *
 * A vertex (x, y) lies at (x + y/2, -y * sqrt(3)/2) sides: y runs upwards on the lattice and
 * downwards on a screen. Everything is drawn in units of a hundredth of a side.
 */

export type Point = readonly [number, number];
export type Numbers = readonly [number, number, number];

export interface Cell {
  x: number;
  y: number;
  down: boolean;
}

export interface Place {
  cell: Cell;
  numbers: Numbers;
}

export const SIDE = 100;
export const ROW_HEIGHT = Math.sqrt(3) / 2;
const GAP = 0.048;
const RIM = 0.025;
const ROUNDING = 0.052;
const KITE_EDGE = 0.345;
const KITE_TIP = 0.456;
export const DIGIT = 26.2;
const DIGIT_FROM_POINT = 0.318;
const DIGIT_FROM_SIDE = 2;
const NOTCH = 2.7;
export const FLOWER_RING = 47.75;
export const SMALL_FLOWER_RING = 42;
export const FLOWER_LINE = 2.6;
export const DISC = 25;
export const DISC_DIGIT = 40;
const SMALL_KITE = 0.36;
export const BASELINE = 0.36;
/**
 * Below this many pixels a side, each vertex shows one digit in place of one for each tile: a digit
 * on a tile would be lower than 11 pixels.
 */
export const SMALL_SIDE = 1100 / DIGIT;

// --- Notation -----------------------------------------------------------------------------------

const PLACE = /^([UD])\((-?\d+),(-?\d+)\)=([0-5])-([0-5])-([0-5])$/;

/** Parse a placement such as `D(-1,0)=1-2-3`; `null` for any other move. */
export function parsePlace(text: string): Place | null {
  const found = PLACE.exec(text);
  if (!found) return null;
  const [, kind, x, y, a, b, c] = found;
  return {
    cell: { x: Number(x), y: Number(y), down: kind === "D" },
    numbers: [Number(a), Number(b), Number(c)],
  };
}

export const cellText = ({ x, y, down }: Cell): string => `${down ? "D" : "U"}(${x},${y})`;
export const placeText = (place: Place): string =>
  `${cellText(place.cell)}=${place.numbers.join("-")}`;

export const readTile = (text: string): Numbers =>
  text.split("-").map(Number) as unknown as Numbers;

/** The three clockwise readings of the same corners. */
export function rotations([a, b, c]: Numbers): Numbers[] {
  return [
    [a, b, c],
    [b, c, a],
    [c, a, b],
  ];
}

/** The tile with these numbers, named by its smallest rotation. */
export function tileOf(numbers: Numbers): string {
  return rotations(numbers)
    .map((turn) => turn.join("-"))
    .sort()[0] as string;
}

export const pointsOf = (tile: string): number =>
  readTile(tile).reduce((sum, value) => sum + value, 0);

// --- The lattice --------------------------------------------------------------------------------

export type Vertex = readonly [number, number];

export const vertexText = ([x, y]: Vertex): string => `${x},${y}`;

/** Clockwise: bottom-left, top, bottom-right, or bottom, top-left, top-right. */
export function vertices({ x, y, down }: Cell): [Vertex, Vertex, Vertex] {
  return down
    ? [
        [x + 1, y],
        [x, y + 1],
        [x + 1, y + 1],
      ]
    : [
        [x, y],
        [x, y + 1],
        [x + 1, y],
      ];
}

/** The cells across edge 0, 1 and 2; edge i joins vertex i and the next. */
export function neighbours({ x, y, down }: Cell): [Cell, Cell, Cell] {
  return down
    ? [
        { x, y, down: false },
        { x, y: y + 1, down: false },
        { x: x + 1, y, down: false },
      ]
    : [
        { x: x - 1, y, down: true },
        { x, y, down: true },
        { x, y: y - 1, down: true },
      ];
}

/** The six cells round a vertex, counter-clockwise from the upper right. */
export function ring([x, y]: Vertex): Cell[] {
  return [
    { x, y, down: false },
    { x: x - 1, y, down: true },
    { x: x - 1, y, down: false },
    { x: x - 1, y: y - 1, down: true },
    { x, y: y - 1, down: false },
    { x, y: y - 1, down: true },
  ];
}

/** A cell after turning the board counter-clockwise by *steps* of 60 degrees. */
export function turnCell(cell: Cell, steps: number): Cell {
  return steps % 6 ? cellOf(vertices(cell).map((vertex) => turnVertex(vertex, steps))) : cell;
}

/** A laid tile after turning the board; its numbers stay at their vertices. */
export function turnPlace(place: Place, steps: number): Place {
  if (!(steps % 6)) return place;
  const corners = vertices(place.cell).map((vertex) => turnVertex(vertex, steps));
  const cell = cellOf(corners);
  const names = corners.map(vertexText);
  const numbers = vertices(cell).map((vertex) => place.numbers[names.indexOf(vertexText(vertex))]);
  return { cell, numbers: numbers as unknown as Numbers };
}

/** A point of the board after turning it. */
export function turnPoint([x, y]: Point, steps: number): Point {
  // A step turns the board counter-clockwise on the screen, where y grows downwards.
  const angle = (-steps * Math.PI) / 3;
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
}

function turnVertex([x, y]: Vertex, steps: number): Vertex {
  let out: Vertex = [x, y];
  for (let step = 0; step < ((steps % 6) + 6) % 6; step++) out = [0 - out[1], out[0] + out[1]];
  return out;
}

/** The cell that has these corners. */
function cellOf(corners: readonly Vertex[]): Cell {
  const [x, y] = corners.reduce<Vertex>((sum, one) => [sum[0] + one[0], sum[1] + one[1]], [0, 0]);
  const down = ((x % 3) + 3) % 3 === 2;
  return { x: Math.floor(x / 3), y: Math.floor(y / 3), down };
}

export type Arrow = "left" | "right" | "up" | "down";

/** The side of a cell that an arrow crosses; `null` where it points at a corner. */
export function sideOf({ down }: Cell, arrow: Arrow): number | null {
  const sides: Arrow[] = down ? ["left", "up", "right"] : ["left", "right", "down"];
  const side = sides.indexOf(arrow);
  return side < 0 ? null : side;
}

/** Where a vertex is drawn. */
export const at = ([x, y]: Vertex): Point => [(x + y / 2) * SIDE, -y * ROW_HEIGHT * SIDE];

/** The middle of a cell, where it is drawn. */
export function middle(cell: Cell): Point {
  const corners = vertices(cell).map(at);
  return centre(corners as unknown as Triangle);
}

/** The SVG transform that moves a shape drawn round the origin into a cell. */
export function moveTo(cell: Cell): string {
  const [x, y] = middle(cell);
  return `translate(${x.toFixed(2)} ${y.toFixed(2)})`;
}

/** The number at every vertex of a board. */
export function numbersOf(places: readonly Place[]): Map<string, { at: Vertex; value: number }> {
  const found = new Map<string, { at: Vertex; value: number }>();
  for (const { cell, numbers } of places)
    vertices(cell).forEach((vertex, index) =>
      found.set(vertexText(vertex), { at: vertex, value: numbers[index] as number }),
    );
  return found;
}

/** The vertices with six tiles round them. */
export function hexagons(places: readonly Place[]): { at: Vertex; value: number }[] {
  const laid = new Set(places.map(({ cell }) => cellText(cell)));
  return [...numbersOf(places).values()].filter(({ at: vertex }) =>
    ring(vertex).every((cell) => laid.has(cellText(cell))),
  );
}

/** The empty cells beside a board. */
export function openCells(places: readonly Place[]): Cell[] {
  const laid = new Set(places.map(({ cell }) => cellText(cell)));
  const open = new Map<string, Cell>();
  for (const { cell } of places)
    for (const other of neighbours(cell))
      if (!laid.has(cellText(other))) open.set(cellText(other), other);
  return [...open.values()];
}

/** A tile in a cell, turned to match the numbers there, or unturned if no rotation fits. */
export function turnedTo(tile: string, cell: Cell, places: readonly Place[]): Place {
  const known = numbersOf(places);
  const corners = vertices(cell);
  const fits = (turn: Numbers): boolean =>
    corners.every((vertex, index) => {
      const number = known.get(vertexText(vertex));
      return number === undefined || number.value === turn[index];
    });
  const turns = rotations(readTile(tile));
  return { cell, numbers: turns.find(fits) ?? (turns[0] as Numbers) };
}

export interface Span {
  at: Vertex;
  value: number;
  start: Cell;
  end: Cell;
}

/** The vertex of a bridge and the two tiles that it joins there. */
export function span(places: readonly Place[], place: Place): Span | null {
  const name = cellText(place.cell);
  const index = places.findIndex(({ cell }) => cellText(cell) === name);
  const before = new Set(places.slice(0, index).map(({ cell }) => cellText(cell)));
  const corners = vertices(place.cell);
  const around = neighbours(place.cell);
  const beside = around.filter((cell) => before.has(cellText(cell)));
  for (let edge = 0; edge < 3; edge++) {
    if (!before.has(cellText(around[edge] as Cell))) continue;
    const apex = corners[(edge + 2) % 3] as Vertex;
    const cells = ring(apex);
    const here = cells.findIndex((cell) => cellText(cell) === name);
    for (const step of [2, 4, 3]) {
      const other = cells[(here + step) % 6] as Cell;
      if (before.has(cellText(other)))
        return {
          at: apex,
          value: place.numbers[(edge + 2) % 3] as number,
          start: place.cell,
          end: other,
        };
    }
  }
  const [first, second] = beside;
  if (!first || !second) return null;
  const theirs = new Set(vertices(second).map(vertexText));
  const shared = corners.findIndex(
    (vertex) =>
      theirs.has(vertexText(vertex)) &&
      vertices(first).some((other) => vertexText(other) === vertexText(vertex)),
  );
  if (shared < 0) return null;
  return {
    at: corners[shared] as Vertex,
    value: place.numbers[shared] as number,
    start: first,
    end: second,
  };
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The bounding box of some cells. */
export function extent(cells: readonly Cell[]): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const cell of cells)
    for (const vertex of vertices(cell)) {
      const [x, y] = at(vertex);
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  return box;
}

// --- Outlines -----------------------------------------------------------------------------------

type Triangle = readonly [Point, Point, Point];

const round = (value: number): string => String(Math.round(value * 100) / 100);
const text = ([x, y]: Point): string => `${round(x)} ${round(y)}`;

function centre(corners: Triangle): Point {
  return [
    (corners[0][0] + corners[1][0] + corners[2][0]) / 3,
    (corners[0][1] + corners[1][1] + corners[2][1]) / 3,
  ];
}

function towards(start: Point, end: Point, distance: number): Point {
  const dx = end[0] - start[0];
  const dy = end[1] - start[1];
  const share = distance / Math.hypot(dx, dy);
  return [start[0] + dx * share, start[1] + dy * share];
}

function outline(corners: Triangle, inset: number, radius: number): string {
  const mid = centre(corners);
  const inner = corners.map((corner) => towards(corner, mid, 2 * inset));
  const path = inner.map((corner, i) => {
    const arrive = towards(corner, inner[(i + 2) % 3] as Point, Math.sqrt(3) * radius);
    const leave = towards(corner, inner[(i + 1) % 3] as Point, Math.sqrt(3) * radius);
    const r = round(radius);
    return `${i ? "L" : "M"}${text(arrive)}A${r} ${r} 0 0 1 ${text(leave)}`;
  });
  return `${path.join("")}Z`;
}

/** The radius of the rounded side of a kite. */
function roundness(edge: number, tip: number): number {
  const length = edge * SIDE;
  const bulge = tip * SIDE - 2 * (GAP / 2 + RIM) * SIDE - length * ROW_HEIGHT;
  return (length * length) / 4 / (2 * bulge) + bulge / 2;
}

function kite(corners: Triangle, index: number, edge: number, tip: number): string {
  const corner = corners[index] as Point;
  const after = corners[(index + 1) % 3] as Point;
  const before = corners[(index + 2) % 3] as Point;
  const inset = (GAP / 2 + RIM) * SIDE;
  const length = edge * SIDE;
  const root = towards(corner, centre(corners), 2 * inset);
  const radius = round(roundness(edge, tip));
  const soft = Math.max(ROUNDING - RIM, 0) * SIDE * Math.sqrt(3);
  const along = (way: Point, distance: number): string =>
    text([
      root[0] + ((way[0] - corner[0]) / SIDE) * distance,
      root[1] + ((way[1] - corner[1]) / SIDE) * distance,
    ]);
  return (
    `M${along(after, soft)}L${along(after, length)}A${radius} ${radius} 0 0 1 ` +
    `${along(before, length)}L${along(before, soft)}Q${text(root)} ${along(after, soft)}Z`
  );
}

function sector(corners: Triangle, index: number): string {
  const inset = GAP / 2 + RIM;
  const edge = Math.sqrt(SMALL_KITE * SMALL_KITE - inset * inset) - Math.sqrt(3) * inset;
  return kite(corners, index, edge, SMALL_KITE);
}

/** *value* small circles as one path, evenly spaced along an arc. */
export function notches(
  mid: Point,
  radius: number,
  turn: number,
  step: number,
  value: number,
): string {
  const size = NOTCH;
  return Array.from({ length: value }, (_, index) => {
    const angle = turn + (index - (value - 1) / 2) * step;
    const start: Point = [
      mid[0] + radius * Math.cos(angle) - size,
      mid[1] + radius * Math.sin(angle),
    ];
    return `M${text(start)}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0Z`;
  }).join("");
}

/** The notches in the rounded side of a kite, for each number. */
function kiteNotches(corner: Point): string[] {
  const radius = roundness(KITE_EDGE, KITE_TIP);
  const mid = towards(corner, [0, 0], KITE_TIP * SIDE - radius);
  const turn = Math.atan2(-corner[1], -corner[0]);
  const step = (0.4 * KITE_EDGE * SIDE) / 2 / radius;
  return [0, 1, 2, 3, 4, 5].map((value) => notches(mid, radius, turn, step, value));
}

export interface Shape {
  body: string;
  inner: string;
  kites: string[];
  sectors: string[];
  /** The notches for each corner and number. */
  notches: string[][];
  digits: readonly [Point, Point, Point];
  corners: Triangle;
  /** Where a label goes, between the numbers. */
  label: Point;
  ring: (away: number) => string;
}

function shape(down: boolean): Shape {
  const cell = { x: 0, y: 0, down };
  const [mx, my] = middle(cell);
  const corners = vertices(cell).map((vertex) => {
    const [x, y] = at(vertex);
    return [x - mx, y - my] as const;
  }) as unknown as Triangle;
  const zero: Point = [0, 0];
  return {
    body: outline(corners, (GAP / 2) * SIDE, ROUNDING * SIDE),
    inner: outline(corners, 0.13 * SIDE, ROUNDING * SIDE),
    kites: [0, 1, 2].map((index) => kite(corners, index, KITE_EDGE, KITE_TIP)),
    sectors: [0, 1, 2].map((index) => sector(corners, index)),
    notches: corners.map(kiteNotches),
    digits: corners.map((corner) => {
      const [x, y] = towards(corner, zero, DIGIT_FROM_POINT * SIDE);
      // At the flat side of a tile a digit would touch the edge of its kite.
      const flat = Math.abs(corner[1]) < SIDE / 2;
      return [x, flat ? y - DIGIT_FROM_SIDE * Math.sign(y) : y];
    }) as unknown as Shape["digits"],
    corners,
    label: [0, 0.065 * SIDE * (down ? 1 : -1)],
    ring: (away) => outline(corners, (GAP / 2) * SIDE - away, ROUNDING * SIDE + away),
  };
}

/** The outlines of a tile pointing up and of one pointing down, centred on the origin. */
export const SHAPES: { up: Shape; down: Shape } = { up: shape(false), down: shape(true) };
export const shapeOf = (cell: Cell): Shape => (cell.down ? SHAPES.down : SHAPES.up);

/** The shorter arc round a point from one direction to another, shortened at both ends. */
export function arc(
  mid: Point,
  radius: number,
  start: Point,
  end: Point,
  degrees = 16,
): { path: string; knobs: [Point, Point] } {
  const turn = 2 * Math.PI;
  const first = Math.atan2(start[1] - mid[1], start[0] - mid[0]);
  const last = Math.atan2(end[1] - mid[1], end[0] - mid[0]);
  const clockwise = (((last - first) % turn) + turn) % turn < Math.PI + 1e-6;
  const cut = ((clockwise ? 1 : -1) * degrees * Math.PI) / 180;
  const knobs = [first + cut, last - cut].map((angle): Point => [
    mid[0] + radius * Math.cos(angle),
    mid[1] + radius * Math.sin(angle),
  ]) as [Point, Point];
  const r = round(radius);
  return {
    path: `M${text(knobs[0])}A${r} ${r} 0 0 ${clockwise ? 1 : 0} ${text(knobs[1])}`,
    knobs,
  };
}
