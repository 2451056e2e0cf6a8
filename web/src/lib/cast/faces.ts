/** The faces of the cast as shapes: triangles in the colours of the tiles, eyes and a mouth. Pure. */
import type { CastName } from "../seatNames";

export type Mood = "waiting" | "pleased" | "sorry";
export const MOODS: Mood[] = ["waiting", "pleased", "sorry"];

/** A direction on the screen, at most of length 1. */
export interface Look {
  x: number;
  y: number;
}

/** A path and how to paint it: as a tile's colour, `light` or `dark` over it, or a part of the face. */
export interface Shape {
  d: string;
  paint: `f${number}` | "light" | "dark" | "white" | "ink" | "stroke" | "smile";
}

/** The side of the square that a face is drawn in. */
export const SIZE = 48;
/** The width of the rim round a face. */
export const RIM = 3;

type Point = readonly [x: number, y: number];
/** A triangle: a tile's colour, how its light falls (1, 0 or -1), and its corners. */
export type Triangle = readonly [colour: number, light: number, a: Point, b: Point, c: Point];

interface Person {
  triangles: Triangle[];
  /** The centres and the radius of the eyes. */
  eyes: Point[];
  eye: number;
  /** The middle of the mouth and half its width. */
  mouth: Point;
  wide: number;
  /** The colour behind the eyes and the mouth. */
  skin: number;
}

// On the lattice of the board a step to the side is half a tile, and a step down is a row.
const ROW = Math.sqrt(3);
const at = (x: number, row: number): Point => [x, row * ROW];
/** A triangle that points up, by its upper corner and half its side. */
const up = (colour: number, x: number, row: number, size: number, light = 0): Triangle => [
  colour,
  light,
  at(x, row),
  at(x + size, row + size),
  at(x - size, row + size),
];
/** A triangle that points down, by its lower corner and half its side. */
const down = (colour: number, x: number, row: number, size: number, light = 0): Triangle => [
  colour,
  light,
  at(x, row),
  at(x - size, row - size),
  at(x + size, row - size),
];
const corners = (colour: number, light: number, a: Point, b: Point, c: Point): Triangle => [
  colour,
  light,
  a,
  b,
  c,
];
/** Triangles round a point, as many as there are corners. */
const fan = (colour: number, middle: Point, around: Point[]): Triangle[] =>
  around.map((a, index) => [
    colour,
    index % 2 ? -1 : 0,
    middle,
    a,
    around[(index + 1) % around.length] ?? a,
  ]);
/** Points on a circle, beginning at an angle in turns. */
const circle = (count: number, radius: number, turn = 0): Point[] =>
  Array.from({ length: count }, (_, index) => {
    const angle = 2 * Math.PI * (index / count + turn);
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
  });

/** A sun: a disc and its rays. */
function sun(): Triangle[] {
  const rays = 10;
  const half = 0.34 / rays;
  const ray = (index: number): Triangle => {
    const [tip] = circle(1, 4.3, index / rays);
    const [a] = circle(1, 2.95, index / rays - half);
    const [b] = circle(1, 2.95, index / rays + half);
    return corners(index % 2 ? 4 : 1, 0, tip ?? [0, 0], b ?? [0, 0], a ?? [0, 0]);
  };
  return [
    ...Array.from({ length: rays }, (_, index) => ray(index)),
    ...fan(1, [0, 0], circle(rays, 2.75, 0.05)),
  ];
}

export const PEOPLE: Record<CastName, Person> = {
  // A tile with a cap.
  Milo: {
    triangles: [
      corners(1, 0, at(-1.7, 1.7), at(0, 4), at(-4, 4)),
      corners(1, 1, at(-1.7, 1.7), at(1.7, 1.7), at(0, 4)),
      corners(1, -1, at(1.7, 1.7), at(4, 4), at(0, 4)),
      up(4, 0, 0, 1.7),
      up(0, 0, 0, 0.7),
    ],
    eyes: [at(-1, 2.5), at(1, 2.5)],
    eye: 0.72,
    mouth: at(0, 3.3),
    wide: 0.85,
    skin: 1,
  },
  // A cat.
  Mika: {
    triangles: [
      up(2, -2.2, 0, 1.8, 1),
      up(2, 2.2, 0, 1.8, -1),
      up(0, -2.2, 0.75, 0.8),
      up(0, 2.2, 0.75, 0.8),
      corners(2, 1, at(-4, 1.8), at(0, 1.8), at(-2.1, 3.9)),
      corners(2, 0, at(0, 1.8), at(2.1, 3.9), at(-2.1, 3.9)),
      corners(2, -1, at(0, 1.8), at(4, 1.8), at(2.1, 3.9)),
    ],
    eyes: [at(-1.3, 2.4), at(1.3, 2.4)],
    eye: 0.72,
    mouth: at(0, 3.2),
    wide: 0.7,
    skin: 2,
  },
  // A hexagon.
  Noor: {
    triangles: fan(3, [0, 0], circle(6, 4, 1 / 12)),
    eyes: [
      [-1.35, -0.5],
      [1.35, -0.5],
    ],
    eye: 0.82,
    mouth: [0, 1.4],
    wide: 1,
    skin: 3,
  },
  // A heart.
  Juno: {
    triangles: [
      up(4, -2.9, 0, 1.1),
      down(4, -2, 1.1, 0.9, 1),
      corners(4, 1, at(-2.9, 0), at(-1.1, 0), at(-2, 1.1)),
      up(4, -1.1, 0, 1.1),
      up(4, 1.1, 0, 1.1, -1),
      corners(4, 0, at(1.1, 0), at(2.9, 0), at(2, 1.1)),
      up(4, 2.9, 0, 1.1, -1),
      corners(4, 1, at(-4, 1.1), at(0, 1.1), at(0, 4.5)),
      corners(4, 0, at(0, 1.1), at(4, 1.1), at(0, 4.5)),
    ],
    eyes: [at(-1.3, 1.55), at(1.3, 1.55)],
    eye: 0.8,
    mouth: at(0, 2.5),
    wide: 0.95,
    skin: 4,
  },
  // A rocket with one round window.
  Vega: {
    triangles: [
      corners(4, 0, at(-2, 2.5), at(-3.9, 4.5), at(-1.7, 4)),
      corners(4, -1, at(2, 2.5), at(3.9, 4.5), at(1.7, 4)),
      corners(1, 0, at(-1.1, 4), at(1.1, 4), at(0, 5)),
      corners(4, 0, at(0, -0.8), at(-2.1, 1), at(2.1, 1)),
      corners(0, 0, at(-2.1, 1), at(2.1, 1), at(-1.7, 4)),
      corners(0, -1, at(2.1, 1), at(1.7, 4), at(-1.7, 4)),
    ],
    eyes: [at(0, 1.9)],
    eye: 1.25,
    mouth: at(0, 3.2),
    wide: 0.85,
    skin: 0,
  },
  // A fish with one eye to be seen.
  Tao: {
    triangles: [
      corners(4, -1, at(2.2, 2), at(5.2, 0.2), at(4.3, 2)),
      corners(4, 0, at(2.2, 2), at(5.2, 3.8), at(4.3, 2)),
      corners(4, 0, at(-1.4, 0.35), at(1.7, -0.75), at(0.9, 0.6)),
      corners(1, 1, at(-4.4, 2), at(-1.8, 0.2), at(-1, 2)),
      corners(1, 0, at(-1.8, 0.2), at(1, 0.5), at(-1, 2)),
      corners(1, -1, at(1, 0.5), at(2.9, 2), at(-1, 2)),
      corners(1, 0, at(2.9, 2), at(1, 3.5), at(-1, 2)),
      corners(1, -1, at(1, 3.5), at(-1.8, 3.8), at(-1, 2)),
      corners(1, 0, at(-1.8, 3.8), at(-4.4, 2), at(-1, 2)),
    ],
    eyes: [at(-1.5, 1.45)],
    eye: 0.95,
    mouth: at(-1.6, 2.75),
    wide: 0.8,
    skin: 1,
  },
  // A flake of snow.
  Lumi: {
    triangles: [
      corners(0, 1, at(0, -0.2), at(-2.5, 2.4), at(0, 2.4)),
      corners(0, 0, at(0, -0.2), at(2.5, 2.4), at(0, 2.4)),
      corners(0, 0, at(-2.5, 2.4), at(0, 5), at(0, 2.4)),
      corners(0, -1, at(2.5, 2.4), at(0, 5), at(0, 2.4)),
    ],
    eyes: [at(-0.92, 2.1), at(0.92, 2.1)],
    eye: 0.76,
    mouth: at(0, 3.05),
    wide: 0.72,
    skin: 0,
  },
  Ravi: {
    triangles: sun(),
    eyes: [
      [-1.05, -0.45],
      [1.05, -0.45],
    ],
    eye: 0.68,
    mouth: [0, 1],
    wide: 0.85,
    skin: 1,
  },
  // A fir.
  Zoe: {
    triangles: [
      corners(1, 0, at(-0.9, 4), at(0.9, 4), at(0.9, 4.9)),
      corners(1, -1, at(-0.9, 4), at(0.9, 4.9), at(-0.9, 4.9)),
      corners(3, 0, at(0, 0.4), at(-4, 4.1), at(0, 4.1)),
      corners(3, -1, at(0, 0.4), at(4, 4.1), at(0, 4.1)),
      corners(3, 1, at(0, -0.6), at(-2.5, 1.4), at(0, 1.4)),
      corners(3, 0, at(0, -0.6), at(2.5, 1.4), at(0, 1.4)),
    ],
    eyes: [at(-1.05, 2.4), at(1.05, 2.4)],
    eye: 0.78,
    mouth: at(0, 3.3),
    wide: 0.85,
    skin: 3,
  },
  // A boat under sail.
  Kai: {
    triangles: [
      corners(0, 0, at(0.4, -0.6), at(0.4, 1.5), at(2.9, 1.5)),
      corners(1, 0, at(-0.4, 0.1), at(-0.4, 1.5), at(-2.2, 1.5)),
      corners(4, 0, at(-0.25, 1.2), at(0.25, 1.2), at(0, 2.5)),
      corners(5, 0, at(-4.5, 2.2), at(0, 2.2), at(-2.7, 4.5)),
      corners(5, 1, at(0, 2.2), at(2.7, 4.5), at(-2.7, 4.5)),
      corners(5, 0, at(0, 2.2), at(4.5, 2.2), at(2.7, 4.5)),
    ],
    eyes: [at(-1.4, 2.95), at(1.4, 2.95)],
    eye: 0.8,
    mouth: at(0, 3.75),
    wide: 0.85,
    skin: 5,
  },
  // A tulip.
  Iris: {
    triangles: [
      corners(0, 0, at(0, -0.7), at(-1.6, 2), at(1.6, 2)),
      corners(4, 0, at(-3.9, 0.1), at(-2.6, 2.4), at(0.4, 2.2)),
      corners(1, 0, at(3.9, 0.1), at(2.6, 2.4), at(-0.4, 2.2)),
      corners(2, 0, at(-3.3, 1.6), at(0, 2.1), at(-1.9, 4.3)),
      corners(2, 1, at(0, 2.1), at(1.9, 4.3), at(-1.9, 4.3)),
      corners(2, -1, at(3.3, 1.6), at(0, 2.1), at(1.9, 4.3)),
    ],
    eyes: [at(-1.15, 2.7), at(1.15, 2.7)],
    eye: 0.72,
    mouth: at(0, 3.55),
    wide: 0.75,
    skin: 2,
  },
  // A ghost.
  Bram: {
    triangles: [
      corners(5, 1, at(-2, 0), at(-3.6, 1.7), at(0, 1.7)),
      corners(5, 0, at(-2, 0), at(2, 0), at(0, 1.7)),
      corners(5, -1, at(2, 0), at(3.6, 1.7), at(0, 1.7)),
      corners(5, 0, at(-3.6, 1.7), at(3.6, 1.7), at(-3.6, 3.3)),
      corners(5, 0, at(3.6, 1.7), at(3.6, 3.3), at(-3.6, 3.3)),
      corners(5, 1, at(-3.6, 3.3), at(-1.2, 3.3), at(-2.4, 4.5)),
      corners(5, 0, at(-1.2, 3.3), at(1.2, 3.3), at(0, 4.5)),
      corners(5, -1, at(1.2, 3.3), at(3.6, 3.3), at(2.4, 4.5)),
    ],
    eyes: [at(-1.3, 1.5), at(1.3, 1.5)],
    eye: 0.85,
    mouth: at(0, 2.6),
    wide: 0.9,
    skin: 5,
  },
};

/** How a face is moved and enlarged to fill its square. */
function fit({ triangles }: Person): (point: Point) => Point {
  const points = triangles.flatMap(([, , ...three]) => three);
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, right, top, bottom] = [
    Math.min(...xs),
    Math.max(...xs),
    Math.min(...ys),
    Math.max(...ys),
  ];
  const scale = (SIZE - 2 * RIM) / Math.max(right - left, bottom - top);
  return ([x, y]) => [
    SIZE / 2 + (x - (left + right) / 2) * scale,
    SIZE / 2 + (y - (top + bottom) / 2) * scale,
  ];
}

const number = (value: number): string => String(Math.round(value * 100) / 100);
const pair = ([x, y]: Point): string => `${number(x)} ${number(y)}`;

/** The triangles of a face in its square. */
export function placed(name: CastName): Triangle[] {
  const move = fit(PEOPLE[name]);
  return PEOPLE[name].triangles.map(([colour, light, ...points]) => {
    const [a, b, c] = points.map(move) as [Point, Point, Point];
    // All in one direction, or two that overlap would leave a hole in the outline.
    const clockwise = (b[0] - a[0]) * (c[1] - a[1]) > (c[0] - a[0]) * (b[1] - a[1]);
    return clockwise ? [colour, light, a, b, c] : [colour, light, a, c, b];
  });
}

const outline = ([, , a, b, c]: Triangle): string => `M${pair(a)}L${pair(b)}L${pair(c)}z`;

/** The outline of a face, for the rim round it. */
export const silhouette = (name: CastName): string => placed(name).map(outline).join("");

/** A face in a mood, its eyes looking in a direction. */
export function face(name: CastName, mood: Mood, look: Look = { x: 0, y: 0 }): Shape[] {
  const person = PEOPLE[name];
  const move = fit(person);
  const size = Math.hypot(...sub(move([1, 0]), move([0, 0])));
  const shapes = placed(name).flatMap((triangle): Shape[] => {
    const [colour, light] = triangle;
    const d = outline(triangle);
    const shade: Shape[] = light ? [{ d, paint: light > 0 ? "light" : "dark" }] : [];
    return [{ d, paint: `f${colour}` }, ...shade];
  });
  for (const [index, eye] of person.eyes.entries()) {
    const side = person.eyes.length === 1 ? 0 : index ? 1 : -1;
    shapes.push(...eyeShapes(move(eye), person.eye * size, mood, look, side));
  }
  shapes.push(mouthShape(move(person.mouth), person.wide * size, mood));
  return shapes;
}

const sub = ([a, b]: Point, [x, y]: Point): [number, number] => [a - x, b - y];
const disc = ([x, y]: Point, r: number): string =>
  `M${number(x - r)} ${number(y)}a${number(r)} ${number(r)} 0 1 0 ${number(2 * r)} 0a${number(r)} ${number(r)} 0 1 0 ${number(-2 * r)} 0z`;

/** An eye; *side* is -1 for the left one, 1 for the right one and 0 for a single one. */
function eyeShapes([x, y]: Point, r: number, mood: Mood, look: Look, side: number): Shape[] {
  if (mood === "pleased")
    return [
      {
        d: `M${pair([x - r, y + 0.35 * r])}Q${pair([x, y - 1.45 * r])} ${pair([x + r, y + 0.35 * r])}`,
        paint: "stroke",
      },
    ];
  const [dx, dy] = mood === "sorry" ? [look.x, Math.max(0.35, look.y)] : [look.x, look.y];
  const pupil: Point = [x + 0.42 * r * dx, y + 0.42 * r * dy];
  const shapes: Shape[] = [
    { d: disc([x, y], r), paint: "white" },
    { d: disc(pupil, 0.52 * r), paint: "ink" },
  ];
  // A brow that rises to the middle.
  if (mood === "sorry") {
    const [inner, outer] = [y - 1.55 * r, y - 0.95 * r];
    const [left, right] =
      side === 0 ? [outer + 0.1 * r, inner] : side < 0 ? [outer, inner] : [inner, outer];
    shapes.push({
      d: `M${pair([x - 0.8 * r, left])}L${pair([x + 0.8 * r, right])}`,
      paint: "stroke",
    });
  }
  return shapes;
}

function mouthShape([x, y]: Point, w: number, mood: Mood): Shape {
  if (mood === "pleased")
    return {
      d: `M${pair([x - 1.15 * w, y - 0.3 * w])}Q${pair([x, y + 2 * w])} ${pair([x + 1.15 * w, y - 0.3 * w])}z`,
      paint: "smile",
    };
  const [bend, dy] = mood === "sorry" ? [-0.9, 0.35] : [0.35, 0];
  return {
    d: `M${pair([x - w, y + dy * w])}Q${pair([x, y + (dy + 2 * bend) * w])} ${pair([x + w, y + dy * w])}`,
    paint: "stroke",
  };
}
