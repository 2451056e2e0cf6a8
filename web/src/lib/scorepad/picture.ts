/** The final scores of a pad as a standalone picture to share. */
import { roundScores } from "./roundScores";
import { curve } from "../chart/scores";
import { escapeXml, FONT, svgToPng } from "../poster/svg";
import { winnersText } from "./phrases";
import type { Sheet } from "./pad";

const SIZE = 1200;
const COLORS = ["#ffd166", "#7cc4ff", "#ff9c8a", "#8fe0b0", "#d6b3ff", "#eef2f5"];
const MARGIN = 90;
const HIGH = 460;

/** The picture as a self-contained SVG. */
export function pictureSvg(sheet: Sheet, foot: string): { svg: string; high: number } {
  const { totals } = curve(sheet.names.length, roundScores(sheet));
  const all = totals.flat();
  const [least, most] = [Math.min(0, ...all), Math.max(10, ...all)];
  const x = (index: number): number =>
    MARGIN + (index / Math.max(1, totals.length - 1)) * (SIZE - 2 * MARGIN);
  const y = (value: number): number => 230 + ((most - value) / (most - least)) * HIGH;
  const lines = sheet.names.map((_, person) => {
    const points = totals.map(
      (row, index) => `${x(index).toFixed(1)},${y(row[person] ?? 0).toFixed(1)}`,
    );
    const color = COLORS[person % COLORS.length];
    return `<polyline points="${points.join(" ")}" fill="none" stroke="${color}" stroke-width="7" stroke-linejoin="round" stroke-linecap="round"/>`;
  });
  const order = sheet.names
    .map((_, person) => person)
    .sort((a, b) => (sheet.ledger.totals[b] ?? 0) - (sheet.ledger.totals[a] ?? 0));
  const rows = order.map((person, at) => {
    const row = 800 + at * 70;
    const first = sheet.ledger.winners.includes(person);
    const look = `font-size="44" fill="${COLORS[person % COLORS.length]}" font-weight="${first ? 700 : 400}"`;
    return (
      `<text x="${MARGIN}" y="${row}" ${look}>${escapeXml(sheet.names[person] ?? "")}</text>` +
      `<text x="${SIZE - MARGIN}" y="${row}" ${look} text-anchor="end">${sheet.ledger.totals[person]}</text>`
    );
  });
  const high = 860 + order.length * 70;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${high}" ` +
    `viewBox="0 0 ${SIZE} ${high}" font-family='${FONT}'>` +
    `<rect width="${SIZE}" height="${high}" fill="#14202b"/>` +
    `<text x="${MARGIN}" y="150" font-size="68" font-weight="700" fill="#eef2f5">${escapeXml(winnersText(sheet))}</text>` +
    `<line x1="${MARGIN}" x2="${SIZE - MARGIN}" y1="${y(0)}" y2="${y(0)}" stroke="#2a3b49" stroke-width="3"/>` +
    lines.join("") +
    rows.join("") +
    `<text x="${MARGIN}" y="${high - 40}" font-size="26" fill="#9fb0be">${escapeXml(foot)}</text></svg>`;
  return { svg, high };
}

export async function picturePng(sheet: Sheet, foot: string): Promise<Blob> {
  const { svg, high } = pictureSvg(sheet, foot);
  return svgToPng(svg, SIZE, high);
}
