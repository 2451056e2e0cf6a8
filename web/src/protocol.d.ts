// Protocol 1, made from the structs of triomino.protocol; do not edit.

// What a client says.

/** Come to a table, or come back to it with the version one has. */
export interface Hello {
  type: "hello";
  table: string;
  version?: number | null;
  /** The device's secret, for clients that keep no cookies. */
  secret?: string | null;
  protocol?: number;
}

/** Play a move for a seat of one's own, on the table as of *version*. */
export interface MoveMessage {
  type: "move";
  move: string;
  version: number;
  id: number;
  seat?: number | null;
}

/** Go on to the next round. */
export interface NextRoundMessage {
  type: "next_round";
  version: number;
  id: number;
}

/** Take one's last decision back; people at the table have to agree. */
export interface UndoMessage {
  type: "undo";
  version: number;
  id: number;
  seat?: number | null;
}

/** Agree that a decision is taken back, or not. */
export interface AnswerUndo {
  type: "answer_undo";
  agree: boolean;
  version: number;
  id: number;
  seat?: number | null;
}

/** Give the match up: with two players it is over, with more a bot goes on. */
export interface GiveUpMessage {
  type: "give_up";
  version: number;
  id: number;
  seat?: number | null;
}

/** Take one's seat back from the bot that played for one. */
export interface ReturnMessage {
  type: "return";
  version: number;
  id: number;
  seat?: number | null;
}

/** Ask what would be best now; only where the table allows hints. Nothing is kept of it. */
export interface AskHint {
  type: "ask_hint";
  version: number;
  id: number;
  seat?: number | null;
}

/** A quick sign to the others; it is not kept. */
export interface React {
  type: "react";
  sign: "hello" | "oops" | "thanks" | "thinking" | "well_played" | "wow";
  seat?: number | null;
}

/** Ask whether the server is there. */
export interface Ping {
  type: "ping";
  id?: number;
}

/** Who is meant to sit at a seat: the maker's own device, whoever follows the link, or a bot. */
export interface SeatPlan {
  kind: "bot" | "here" | "link";
  name?: string | null;
  bot?: string | null;
}

/** What a table is set up with. */
export interface TableOptions {
  seats: SeatPlan[];
  rules?: Record<string, unknown>;
  /** For each turn; when it runs out, a bot takes over. */
  clock_seconds?: number | null;
  /** How long a person may be away before a bot takes over; `null`: for ever. */
  away_seconds?: number | null;
  undo?: boolean;
  /** What is shown of the legal places, equal for all. */
  help?: "none" | "places" | "points";
  hints?: boolean;
  /** In the lobby for everybody, or by link only. */
  listed?: boolean;
}

/** What changes for another match with the same people. */
export interface RematchOptions {
  rules?: Record<string, unknown>;
  clock_seconds?: number | null;
  away_seconds?: number | null;
  undo?: boolean;
  help?: "none" | "places" | "points";
  hints?: boolean;
  listed?: boolean;
}

/** Sit down under a name, and add a seed to the deal. */
export interface TakeSeat {
  /** `null`: the server makes one up, and says so. */
  name?: string | null;
  /** A certain seat, or the first free one. */
  seat?: number | null;
  seed?: string;
}

/** Come to one's seat from another device, by its secret link. */
export interface Claim {
  secret: string;
}

/** Steps of a score pad, beginning with the one that has the number *since*. */
export interface PadActs {
  secret: string;
  since: number;
  acts: (Record<string, unknown>)[];
}

/** A match that is over, as its record has it. */
export interface RecordToAnalyse {
  record: Record<string, unknown>;
}

export type ClientMessage =
  | Hello
  | MoveMessage
  | NextRoundMessage
  | UndoMessage
  | AnswerUndo
  | GiveUpMessage
  | ReturnMessage
  | AskHint
  | React
  | Ping;

// What the server says.

/** A seat as everybody sees it. */
export interface SeatSummary {
  kind: "bot" | "person";
  /** `null` while nobody sits there. */
  name: string | null;
  /** The bot that plays here by plan. */
  bot: string | null;
  /** The bot that plays for a person who is away. */
  substitute: string | null;
  is_free: boolean;
  /** Nobody gave this name: say it in the reader's words. */
  is_made_up: boolean;
}

/** The commitment before the deal; the seeds once the match is over. */
export interface Fairness {
  algorithm: string;
  commitment: string;
  server_seed?: string;
  player_seeds?: string[];
}

/** Points, and why. */
export interface ScoreInfo {
  seat: number;
  reason: string;
  points: number;
}

/** A move as its receiver may see it. */
export interface TurnInfo {
  seat: number;
  move: string;
  points: number;
  scores: ScoreInfo[];
  /** The tile drawn; only its owner is told. */
  tile?: string;
  bonus?: string;
  /** Played by a bot for a person. */
  by_bot?: boolean;
}

/** The running round, or the last one. */
export interface RoundInfo {
  number: number;
  starter: number;
  start_draws: [number, string][];
  turns: TurnInfo[];
}

/** How a round ended, and what was left on the racks, which are open now. */
export interface EndInfo {
  reason: string;
  seats: number[];
  points: number[];
  scores: ScoreInfo[];
  racks: string[][];
}

/** A round that is over. */
export interface PastRound {
  number: number;
  starter: number;
  turns: TurnInfo[];
  end: EndInfo | null;
  totals: number[];
}

/** A legal move and what it gives or costs by itself. */
export interface Choice {
  move: string;
  points?: number;
  bonus?: string;
}

/** What changes with every move. */
export interface Now {
  turn: number;
  totals: number[];
  rack_sizes: number[];
  pool_size: number;
  /** Tiles drawn in the running turn. */
  draws: number;
  is_last_round: boolean;
  /** When the clock of this turn runs out, in milliseconds since 1970. */
  deadline?: number;
  /** What the receiver can do, if one of its seats is to move. */
  choices?: Choice[];
  /** Why the receiver, who is to move, cannot draw now. */
  why_not_draw?: string;
  end?: EndInfo;
}

/** How the match ended. */
export interface Result {
  scores: number[];
  winners: number[];
}

/** Somebody asks to take back so many moves. */
export interface UndoRequest {
  seat: number;
  moves: number;
  agreed: number[];
}

/** Everything the receiver may know of a table. */
export interface State {
  type: "state";
  version: number;
  table: string;
  state: "closed" | "finished" | "open" | "playing";
  /** The edition and every field that differs from it. */
  rules: Record<string, unknown>;
  options: Record<string, unknown>;
  seats: SeatSummary[];
  you: number[];
  is_host: boolean;
  fair: Fairness;
  /** The seats whose person is connected. */
  here: number[];
  spectators?: number;
  /** The tiles of the receiver's own seats. */
  racks?: Record<string, string[]>;
  round?: RoundInfo;
  past?: PastRound[];
  now?: Now;
  result?: Result;
  undo?: UndoRequest;
  rematch?: string;
  protocol?: number;
}

/** Moves since the version before; apply them in order. */
export interface Moved {
  type: "moved";
  version: number;
  since: number;
  turns: TurnInfo[];
  now: Now;
}

/** You have the newest version. */
export interface Current {
  type: "current";
  version: number;
}

/** What you sent as *id* is on disk as of *version*. */
export interface Ack {
  type: "ack";
  id: number;
  version: number;
}

/** What you sent as *id* changed nothing, and why. */
export interface Refused {
  type: "refused";
  id: number | null;
  code: string;
  detail: string;
  version?: number;
}

/** Who is connected now. */
export interface Presence {
  type: "presence";
  here: number[];
  spectators: number;
}

/** Somebody made a sign. */
export interface Reaction {
  type: "reaction";
  seat: number;
  sign: string;
}

/** Why a move is good or bad, for words: what it brings, or a danger and how likely it is. */
export interface HintReason {
  kind: "bonus" | "danger" | "draw" | "out" | "points";
  points: number;
  chance?: number;
  bonus?: string;
}

/** A move that was thought about. */
export interface HintMove {
  move: string;
  /** The chance to win the round. */
  win: number;
  /** Points more than the others at its end, on average. */
  margin: number;
  why: HintReason[];
}

/** The best moves found for what you asked as *id*, the best first. */
export interface Hint {
  type: "hint";
  id: number;
  version: number;
  moves: HintMove[];
}

/** I am here. */
export interface Pong {
  type: "pong";
  id: number;
  at: number;
}

/** The server closes this socket: come back later, or not. */
export interface Bye {
  type: "bye";
  code: string;
  detail: string;
}

/** The secret that is this device's name; browsers get it as a cookie. */
export interface Device {
  secret: string;
}

/** Which seat one has now. */
export interface SeatTaken {
  table: string;
  seat: number;
}

/** A secret that opens a seat on another device. It is shown once. */
export interface SeatLink {
  table: string;
  seat: number;
  secret: string;
  path: string;
}

/** A table in a list. */
export interface TableSummary {
  id: string;
  state: "closed" | "finished" | "open" | "playing";
  edition: string;
  rules: Record<string, unknown>;
  target: number | null;
  seats: SeatSummary[];
  listed: boolean;
  created: number;
  updated: number;
  /** The seats of the device that asks. */
  you: number[];
}

/** A live sheet: its id lets one look, its secret write. The secret is shown once. */
export interface PadMade {
  pad: string;
  secret: string;
  path: string;
}

/** How many steps the server has of a sheet. */
export interface PadVersion {
  pad: string;
  version: number;
}

/** What is written on a sheet, beginning with the step that has the number *since*. */
export interface PadNews {
  pad: string;
  since: number;
  acts: (Record<string, unknown>)[];
}

/** One player's match: luck and skill apart. */
export interface AnalysedPlayer {
  seat: number;
  decisions: number;
  /** What dealing and drawing gave, in rounds won. */
  luck: number;
  /** What the player's own decisions gave away, in rounds won. */
  lost: number;
  lost_points: number;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}

/** A decision: what the move was worth, and what would have been best. */
export interface MarkedMove {
  /** Its place in the turns of the round. */
  turn: number;
  seat: number;
  /** The chance to win the round with the move that was played. */
  win: number;
  /** Points more than the others at the end of the round, on average. */
  margin: number;
  best: string;
  best_win: number;
  best_margin: number;
  /** The chance to win the round that was given away. */
  lost: number;
  mark?: "blunder" | "inaccuracy" | "mistake";
  /** What is to be said of the best move, where the one played has a mark. */
  why?: HintReason[];
}

/** A round, looked at move by move. */
export interface AnalysedRound {
  /** The chance of each seat to win it: before the first turn, and after every one. */
  chances: number[][];
  /** The turns in which there was something to choose. */
  moves: MarkedMove[];
}

/** What was found of a match. */
export interface Analysis {
  players: AnalysedPlayer[];
  rounds: AnalysedRound[];
}

/** How far an analysis is. */
export interface AnalysisState {
  id: string;
  state: "done" | "failed" | "none" | "running" | "waiting";
  /** Turns that were looked at. */
  done: number;
  total: number;
  /** Analyses that come first. */
  ahead: number;
  /** Why it failed. */
  why: string | null;
  result: Analysis | null;
}

/** An opponent. */
export interface BotInfo {
  name: string;
  /** Why it cannot play on this server; `null`: it can. */
  why_not: string | null;
}

/** A statement of the rule book: the key of its text and what is filled in. */
export interface RuleLine {
  key: string;
  values: Record<string, number | string>;
  /** It differs from the edition. */
  changed: boolean;
}

/** A chapter of the rule book. */
export interface RuleChapter {
  name: string;
  /** The key of the heading. */
  title: string;
  lines: RuleLine[];
  /** The names of what is drawn there. */
  figures: string[];
}

/** A line of the table of how many tiles each gets. */
export interface RuleDeal {
  players: number;
  each: number;
  pool: number;
  /** It differs from the edition. */
  changed: boolean;
}

/** The whole rules of a game, as keys of texts and numbers. */
export interface RuleBook {
  /** The edition and what differs from it. */
  rules: Record<string, unknown>;
  /** It speaks of cards, hand and stack; texts that differ for that have keys of their own. */
  cards: boolean;
  chapters: RuleChapter[];
  deals: RuleDeal[];
}

/** Why a request was refused. */
export interface Problem {
  code: string;
  detail: string;
}

export type ServerMessage =
  | State
  | Moved
  | Current
  | Ack
  | Refused
  | Presence
  | Reaction
  | Hint
  | Pong
  | Bye;
