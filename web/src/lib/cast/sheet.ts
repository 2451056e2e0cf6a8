/** A contact sheet of the cast as SVG: everybody in every mood, by day and night, large and small. */
import type { CastName } from "../seatNames";
import {
  face,
  MOODS,
  PEOPLE,
  RIM,
  silhouette,
  SIZE,
  type Look,
  type Mood,
  type Shape,
} from "./faces";

const TILE = ["#b7c9fc", "#df8e00", "#9d5cfe", "#287969", "#ae0000", "#41306d"];
const INK = "#10181f";
const THEMES = [
  { ground: "#e9e4d8", text: INK, rim: "#fffdf8", edge: "#b9b09c" },
  { ground: "#14202b", text: "#eef2f5", rim: "#f7f1e5", edge: "#f7f1e5" },
];
type Theme = (typeof THEMES)[number];
const LOOKS: Record<Mood, Look> = {
  waiting: { x: 0.9, y: 0.4 },
  pleased: { x: 0, y: 0 },
  sorry: { x: -0.6, y: 0.6 },
};
const WIDE = 370;
const HIGH = 118;

function paint({ d, paint }: Shape, skin: number): string {
  const line = skin < 3 ? INK : "#ffffff";
  if (paint.startsWith("f")) {
    const fill = TILE[Number(paint.slice(1))];
    return `<path d="${d}" fill="${fill}" stroke="${fill}" stroke-width=".5" stroke-linejoin="round"/>`;
  }
  if (paint === "light" || paint === "dark")
    return `<path d="${d}" fill="${paint === "light" ? "#fff" : "#000"}" fill-opacity=".12"/>`;
  if (paint === "stroke" || paint === "smile")
    return `<path d="${d}" fill="${paint === "smile" ? line : "none"}" stroke="${line}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`;
  return `<path d="${d}" fill="${paint === "ink" ? INK : "#fff"}"/>`;
}

function drawn(name: CastName, mood: Mood, theme: Theme): string {
  const rim = silhouette(name);
  const edge = `<path d="${rim}" fill="${theme.edge}" stroke="${theme.edge}" stroke-width="${RIM + 1}" stroke-linejoin="round"/>`;
  return (
    edge +
    `<path d="${rim}" fill="${theme.rim}" stroke="${theme.rim}" stroke-width="${RIM}" stroke-linejoin="round"/>` +
    face(name, mood, LOOKS[mood])
      .map((shape) => paint(shape, PEOPLE[name].skin))
      .join("")
  );
}

const svg = (x: number, y: number, size: number, inside: string): string =>
  `<svg x="${x}" y="${y}" width="${size}" height="${size}" viewBox="0 0 ${SIZE} ${SIZE}">${inside}</svg>`;

function row(name: CastName, theme: Theme): string {
  const small = MOODS.map((mood, index) =>
    svg(252 + 28 * index, 30, 24, drawn(name, mood, theme)),
  ).join("");
  const alone = `<path d="${silhouette(name)}" fill="${theme.text}" stroke="${theme.text}" stroke-width="${RIM}" stroke-linejoin="round"/>`;
  return (
    MOODS.map((mood, index) => svg(8 + 80 * index, 12, 72, drawn(name, mood, theme))).join("") +
    small +
    svg(340, 30, 24, alone) +
    `<text x="252" y="82" fill="${theme.text}" font-family="sans-serif" font-weight="bold" font-size="15">${name}</text>`
  );
}

/** The sheet. */
export function contactSheet(names: readonly CastName[]): string {
  const tall = HIGH * names.length;
  const halves = THEMES.map(
    (theme, index) =>
      `<g transform="translate(${index * WIDE})"><rect width="${WIDE}" height="${tall}" fill="${theme.ground}"/>` +
      names
        .map((name, at) => `<g transform="translate(0 ${at * HIGH})">${row(name, theme)}</g>`)
        .join("") +
      "</g>",
  );
  const size = `width="${2 * WIDE}" height="${tall}" viewBox="0 0 ${2 * WIDE} ${tall}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${halves.join("")}</svg>\n`;
}
