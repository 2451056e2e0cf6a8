/** What the page is told of a local table: the messages of the server, made from the kernel. */
import type { Ply, RoundState } from "../kernel/match";
import type {
  Choice,
  EndInfo,
  Fairness,
  Moved,
  Now,
  PastRound,
  State,
  TableSummary,
  TurnInfo,
  UndoRequest,
} from "../net/types";
import { ruleChanges } from "./options";
import type { LocalTable, PendingUndo } from "./table";

const BONUSES = new Set(["bridge", "hexagon", "double_hexagon", "triple_hexagon"]);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

export const bonusOf = (ply: Ply): string | null =>
  ply.scores.find(({ reason }) => BONUSES.has(reason))?.reason ?? null;

/** A ply as the device sees it, which is every tile that its own seats drew. */
function turnInfo(table: LocalTable, ply: Ply, byBot: boolean): TurnInfo {
  const shown = ply.tile !== null && table.own.includes(ply.seat);
  const bonus = bonusOf(ply);
  return {
    seat: ply.seat,
    move: ply.move,
    points: sum(ply.scores.map(({ points }) => points)),
    scores: ply.scores,
    ...(shown && ply.tile !== null ? { tile: ply.tile } : {}),
    ...(bonus === null ? {} : { bonus }),
    ...(byBot ? { by_bot: true } : {}),
  };
}

function turns(table: LocalTable, number: number, first = 0): TurnInfo[] {
  const marks = table.byBot[number - 1] ?? [];
  return table
    .round(number)
    .plies.slice(first)
    .map((ply, index) => turnInfo(table, ply, marks[first + index] ?? false));
}

/** The end of a round. Its racks are shown to all, unless a player gave up. */
export function endInfo({ end, racks }: RoundState): EndInfo | null {
  if (!end) return null;
  const points = racks.map((_, seat) =>
    sum(end.scores.filter((score) => score.seat === seat).map((score) => score.points)),
  );
  const shown = end.reason === "abandoned" ? [] : racks;
  return { reason: end.reason, seats: end.seats, points, scores: end.scores, racks: shown };
}

/** The choices of the seat to move, in as much detail as the table allows. */
function choices(table: LocalTable, turn: number): Choice[] {
  const help = table.chair(turn).help ?? table.options.help;
  return table.running.choices().flatMap(({ move, points, bonus }): Choice[] => {
    const placed = move.includes("=");
    if (placed && help === "none") return [];
    if (placed && help === "places") return [{ move }];
    return [{ move, points, ...(bonus === null ? {} : { bonus }) }];
  });
}

export function nowOf(table: LocalTable): Now {
  const { round } = table.round();
  const end = endInfo(round);
  const now: Now = {
    ply: table.ply,
    turn: round.turn,
    totals: round.totals,
    rack_sizes: round.racks.map((rack) => rack.length),
    pool_size: round.poolSize,
    draws: round.draws,
    is_last_round: table.running.standing().isLastRound,
    ...(end ? { end } : {}),
  };
  const waits = !round.end && table.state === "playing" && table.bot(round.turn) === null;
  if (!waits || table.paused !== null) return now;
  const why = table.running.whyNot("draw");
  const own = {
    choices: choices(table, round.turn),
    ...(why === null ? {} : { why_not_draw: why }),
  };
  return { ...now, ...own };
}

function fairness(table: LocalTable): Fairness {
  const fair = { algorithm: "fair/1", commitment: table.commitment };
  if (table.state !== "closed" && !table.isOver) return fair;
  const player_seeds = table.chairs.map(() => "");
  return { ...fair, server_seed: table.serverSeed, player_seeds };
}

const undoRequest = ({ id, seat, moves, agreed }: PendingUndo): UndoRequest => ({
  id,
  seat,
  moves,
  agreed: [...agreed].sort((a, b) => a - b),
});

function pastRound(table: LocalTable, number: number): PastRound {
  const { round } = table.round(number);
  return {
    number,
    starter: round.starter,
    turns: turns(table, number),
    end: endInfo(round),
    totals: table.round(number + 1).round.startTotals,
  };
}

/** The scores of a match that is over, with the head starts. */
export const finalScores = (table: LocalTable): number[] =>
  table.running.standing().totals.map((total, seat) => total + (table.headStart[seat] ?? 0));

/** What a state tells of a match that has begun. */
function matchPart(table: LocalTable): Partial<State> {
  if (!table.match) return {};
  const number = table.byBot.length;
  const { round } = table.round();
  const past = table.byBot.slice(1).map((_, index) => pastRound(table, index + 1));
  return {
    racks: Object.fromEntries(table.own.map((seat) => [String(seat), round.racks[seat] ?? []])),
    round: {
      number,
      starter: round.starter,
      start_draws: round.startDraws.map(({ seat, tile }) => [seat, tile]),
      turns: turns(table, number),
    },
    ...(past.length ? { past } : {}),
    now: nowOf(table),
    ...(table.isOver
      ? {
          result: { scores: finalScores(table), winners: table.match.winnersWith(table.headStart) },
        }
      : {}),
  };
}

/** Everything the device may know. */
export function stateOf(table: LocalTable): State {
  const { rules, seats: _, ...options } = table.options;
  return {
    type: "state",
    version: table.version,
    table: table.id,
    state: table.state,
    rules: ruleChanges(rules),
    options,
    seats: table.chairs.map((_, seat) => table.summary(seat)),
    you: table.own,
    is_host: true,
    fair: fairness(table),
    here: table.own,
    ...matchPart(table),
    ...(table.undo ? { undo: undoRequest(table.undo) } : {}),
    ...(table.rematch === null ? {} : { rematch: table.rematch }),
    ...(table.own[0] === undefined ? {} : { host: table.own[0] }),
    ...(table.paused === null ? {} : { paused: table.paused }),
    ...(table.closedWhy === null ? {} : { closed_why: table.closedWhy }),
  };
}

/** The table as it appears in a list. */
export function summaryOf(table: LocalTable): TableSummary {
  const { rules } = table.options;
  const summary = {
    id: table.id,
    state: table.state,
    edition: rules["edition"] as string,
    rules: ruleChanges(rules),
    target: rules["target"] as number | null,
    rounds: null,
    seats: table.chairs.map((_, seat) => table.summary(seat)),
    listed: false,
    created: table.created,
    updated: table.updated,
    fair: fairness(table),
    you: table.own,
  };
  if (!table.match) return { ...summary, standing: null };
  const { round, plies } = table.round();
  const standing = {
    round: table.byBot.length,
    turn: table.state === "playing" && !round.end ? round.turn : null,
    totals: table.isOver ? finalScores(table) : round.totals,
    winners: table.match.winnersWith(table.headStart),
    places: plies.map(({ move }) => move).filter((move) => move.includes("=")),
  };
  return { ...summary, standing };
}

/** The last moves, which led from version *since* to the current one. */
export function movedOf(table: LocalTable, since: number, count: number): Moved {
  const number = table.byBot.length;
  const first = table.round().plies.length - count;
  return {
    type: "moved",
    version: table.version,
    since,
    turns: turns(table, number, first),
    now: nowOf(table),
  };
}

/** The record of a match that is over or closed; plies that bots played for people are marked. */
export function recordOf(table: LocalTable): Record<string, unknown> {
  const players = table.chairs.map(({ name, isBot, level }) =>
    isBot ? { name, bot: level } : { name },
  );
  const standing = table.running.standing();
  const { algorithm, commitment, server_seed, player_seeds } = {
    ...fairness(table),
    server_seed: table.serverSeed,
    player_seeds: table.chairs.map(() => ""),
  };
  const record: Record<string, unknown> = {
    format: "triomino-record/2",
    rules: table.options.rules,
    players,
    fair: { algorithm, commitment, server_seed, player_seeds },
    rounds: table.byBot.map((_, index) => recordRound(table, index + 1)),
  };
  const result = { scores: standing.totals, winners: standing.winners };
  if (standing.isOver) record["result"] = result;
  if (!table.headStart.some(Boolean)) return record;
  const winners = table.running.winnersWith(table.headStart);
  const counted = standing.isOver ? { scores: finalScores(table), winners } : {};
  return { ...record, extra: { head_start: table.headStart, ...counted } };
}

function recordRound(table: LocalTable, number: number): Record<string, unknown> {
  const { round, plies } = table.round(number);
  const marks = table.byBot[number - 1] ?? [];
  const end = endInfo(round);
  const last = number === table.byBot.length;
  const totals = last ? round.totals : table.round(number + 1).round.startTotals;
  return {
    starter: round.starter,
    start_draws: round.startDraws,
    racks: round.dealt,
    pool: round.pool,
    turns: plies.map((ply, index) => {
      const bonus = bonusOf(ply);
      return {
        seat: ply.seat,
        move: ply.move,
        ...(ply.tile === null ? {} : { tile: ply.tile }),
        points: sum(ply.scores.map(({ points }) => points)),
        ...(bonus === null ? {} : { bonus }),
        ...(marks[index] ? { extra: { by_bot: true } } : {}),
      };
    }),
    ...(end
      ? { end: { reason: end.reason, seats: end.seats, points: end.points }, scores: totals }
      : {}),
  };
}
