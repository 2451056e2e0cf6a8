/** A board as a standalone picture to save, print or share. */
import {
  arc,
  at,
  BASELINE,
  DIGIT,
  extent,
  FLOWER_LINE,
  FLOWER_RING,
  hexagons,
  middle,
  shapeOf,
  span,
  type Cell,
  type Place,
} from "../board/geometry";
import { shareFile } from "../files";
import { escapeXml, FONT, svgToPng } from "./svg";

export interface Poster {
  places: Place[];
  bridges: Place[];
  /** The cells that need room; those of the places unless given. */
  room?: Cell[];
  /** The tile laid last, which gets a ring. */
  last?: Cell | null;
  title: string;
  /** A line for each player, the best first. */
  lines: { name: string; score: string; first: boolean }[];
  /** The small print at the bottom. */
  foot: string;
}

export const FILLS = ["#b7c9fc", "#df8e00", "#9d5cfe", "#287969", "#ae0000", "#41306d"];
export const INK = "#10181f";
export const GROUND = "#14202b";
export const IVORY = "#f7f1e5";
export const TEXT = "#eef2f5";
export const ACCENT = "#ffd166";
export const MUTED = "#9fb0be";
/** The colour of a digit on the colour of its number. */
export const onFill = (value: number): string => (value < 3 ? INK : "#fff");
export const SIZE = 1200;
export const HIGH = 1500;
const MARGIN = 90;
const LINE = 62;

function tile({ cell, numbers }: Place): string {
  const shape = shapeOf(cell);
  const [x, y] = middle(cell);
  const parts = numbers.map((value, index) => {
    const [dx, dy] = shape.digits[index] ?? [0, 0];
    return (
      `<path d="${shape.kites[index]}" fill="${FILLS[value]}"/>` +
      `<text x="${dx}" y="${dy + BASELINE * DIGIT}" font-size="${DIGIT}" font-weight="700" ` +
      `text-anchor="middle" fill="${onFill(value)}">${value}</text>`
    );
  });
  return (
    `<g transform="translate(${x} ${y})"><path d="${shape.body}" fill="#000" fill-opacity=".4" ` +
    `transform="translate(0 2.2)"/><path d="${shape.body}" fill="${IVORY}"/>${parts.join("")}</g>`
  );
}

function ring(cell: Cell): string {
  const [x, y] = middle(cell);
  return `<path d="${shapeOf(cell).ring(4)}" transform="translate(${x} ${y})" fill="none" stroke="#fff" stroke-width="3.5"/>`;
}

function board(poster: Poster, room: number, top: number): string {
  const { places, bridges, last } = poster;
  const box = extent(poster.room ?? places.map(({ cell }) => cell));
  const scale = Math.min(
    (SIZE - 2 * MARGIN) / (box.right - box.left),
    room / (box.bottom - box.top),
    1.9,
  );
  const closed = hexagons(places);
  const flowers = closed.map(({ at: vertex, value }) => {
    const [x, y] = at(vertex);
    const circle = (color: string, line: number): string =>
      `<circle cx="${x}" cy="${y}" r="${FLOWER_RING}" fill="none" stroke="${color}" stroke-width="${line}"/>`;
    return circle(INK, FLOWER_LINE * 1.6) + circle(FILLS[value] ?? INK, FLOWER_LINE);
  });
  const arcs = bridges.flatMap((place) => {
    const found = span(places, place);
    if (!found || closed.some(({ at: [x, y] }) => x === found.at[0] && y === found.at[1]))
      return [];
    const { path, knobs } = arc(at(found.at), FLOWER_RING, middle(found.start), middle(found.end));
    const layer = (color: string, line: number): string =>
      `<path d="${path}" fill="none" stroke="${color}" stroke-width="${line}"/>` +
      knobs
        .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="${2.2 + line / 2}" fill="${color}"/>`)
        .join("");
    return [layer(INK, 7.4) + layer("#fff", 5.6) + layer(FILLS[found.value] ?? INK, 3.8)];
  });
  const move = `translate(${SIZE / 2} ${top + room / 2}) scale(${scale}) translate(${
    -(box.left + box.right) / 2
  } ${-(box.top + box.bottom) / 2})`;
  return `<g transform="${move}">${places.map(tile).join("")}${flowers.join("")}${arcs.join("")}${last ? ring(last) : ""}</g>`;
}

/** The picture as a self-contained SVG. */
export function posterSvg(poster: Poster): string {
  const { title, lines, foot } = poster;
  const below = HIGH - MARGIN - 40 - lines.length * LINE;
  const top = 210;
  const rows = lines.map(({ name, score, first }, index) => {
    const y = below + 30 + index * LINE;
    const look = `font-size="40" fill="${first ? ACCENT : TEXT}" font-weight="${first ? 700 : 400}"`;
    return (
      `<text x="${MARGIN}" y="${y}" ${look}>${escapeXml(name)}</text>` +
      `<text x="${SIZE - MARGIN}" y="${y}" ${look} text-anchor="end">${escapeXml(score)}</text>`
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${HIGH}" ` +
    `viewBox="0 0 ${SIZE} ${HIGH}" font-family='${FONT}'>` +
    `<rect width="${SIZE}" height="${HIGH}" fill="${GROUND}"/>` +
    `<text x="${MARGIN}" y="140" font-size="68" font-weight="700" fill="${TEXT}">${escapeXml(title)}</text>` +
    board(poster, below - top - 70, top) +
    rows.join("") +
    `<text x="${MARGIN}" y="${HIGH - 44}" font-size="26" fill="${MUTED}">${escapeXml(foot)}</text></svg>`
  );
}

/** Share a picture where the device can, otherwise save it. */
export async function share(poster: Poster, name: string): Promise<void> {
  await shareFile(`${name}.png`, await svgToPng(posterSvg(poster), SIZE, HIGH), poster.title);
}
