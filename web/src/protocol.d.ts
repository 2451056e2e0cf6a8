// Protocol 2, made from the structs of triomino.protocol; do not edit.

// From clients.

/** Join a table, or rejoin it with the last version that is known. */
export interface Hello {
  type: "hello";
  table: string;
  version?: number | null;
  /** The device's secret, for clients without cookies. */
  secret?: string | null;
  protocol?: number;
}

/** Play a move for one of the device's seats, in the position *ply*. */
export interface MoveMessage {
  type: "move";
  move: string;
  ply: number;
  id: number;
  seat?: number | null;
}

/** Begin the next round after the one that ended with *ply*. */
export interface NextRoundMessage {
  type: "next_round";
  ply: number;
  id: number;
}

/** Take the last move back; other people at the table have to agree. */
export interface UndoMessage {
  type: "undo";
  ply: number;
  id: number;
  seat?: number | null;
}

/** Agree to the undo *request*, or decline it. */
export interface AnswerUndo {
  type: "answer_undo";
  agree: boolean;
  request: number;
  id: number;
  seat?: number | null;
}

/** Give up the match: with two players it is over, with more a bot goes on. */
export interface GiveUpMessage {
  type: "give_up";
  id: number;
  seat?: number | null;
}

/** Take the seat back from the bot that stood in. */
export interface ReturnMessage {
  type: "return";
  id: number;
  seat?: number | null;
}

/** Remind the person at seat *whom*, who is away or to move, that others wait. */
export interface RemindMessage {
  type: "remind";
  whom: number;
  id: number;
  seat?: number | null;
}

/** Let a bot play for the person at seat *whom*, who has been away for a while. */
export interface StandInMessage {
  type: "stand_in";
  whom: number;
  id: number;
  seat?: number | null;
}

/** Pause the match: nobody moves, and clocks stand still. */
export interface PauseMessage {
  type: "pause";
  id: number;
  seat?: number | null;
}

/** End the pause, whoever made it. */
export interface ResumeMessage {
  type: "resume";
  id: number;
  seat?: number | null;
}

/** End the match without a winner, once everybody else has been away for long. */
export interface EndMatchMessage {
  type: "end_match";
  id: number;
  seat?: number | null;
}

/** Reveal the seed that the device committed to, once the match is started. */
export interface RevealMessage {
  type: "reveal";
  seed: string;
  id: number;
}

/** Ask for the best moves, where the table allows hints. Not stored. */
export interface AskHint {
  type: "ask_hint";
  ply: number;
  id: number;
  seat?: number | null;
}

/** A reaction for the others to see, also of spectators if the table allows it. Not stored. */
export interface React {
  type: "react";
  sign: "hello" | "oops" | "thanks" | "thinking" | "well_played" | "wow";
  seat?: number | null;
}

/** Ask for a `pong`; a socket that is silent for too long is closed. */
export interface Ping {
  type: "ping";
  id?: number;
}

/** Who plays at a seat: somebody at the device that sets up the table, a guest, or a bot. */
export interface SeatPlan {
  kind: "bot" | "here" | "link";
  name?: string | null;
  bot?: string | null;
  /** How much this seat is shown of its legal placements; `null` is as much as the others. */
  help?: "none" | "places" | "points" | null;
  /** Points that are added to the seat's score at the end of the match. */
  head_start?: number;
}

/** The options of a table. */
export interface TableOptions {
  seats: SeatPlan[];
  rules?: Record<string, unknown>;
  /** For each turn; when it runs out, a bot takes over. */
  clock_seconds?: number | null;
  /** What each person may spend in the whole match beyond the clock of single turns. Left out if there is none: older servers, which may run beside this one, refuse what they do not know. */
  reserve_seconds?: number;
  /** How long a person may be away, while another one waits, before a bot takes over; with `null` it does so only if somebody asks for it. */
  away_seconds?: number | null;
  undo?: boolean;
  /** How much is shown of the legal placements to every seat that has no help of its own. */
  help?: "none" | "places" | "points";
  hints?: boolean;
  /** Whether the table is in the lobby, or open by link only. */
  listed?: boolean;
  /** How long bots take for a move; each pace is a fixed time, the same for every move. */
  pace?: "at_once" | "calm" | "quick";
  /** Whether those who watch may send reactions, too. */
  spectators_react?: boolean;
}

/** A match that began in a browser, to be played on here: its options, its deal, its moves. */
export interface ArrivingTable {
  options: TableOptions;
  /** Of `fair/1`, without seeds of players. */
  server_seed: string;
  names: string[];
  /** The moves of every round. */
  rounds: string[][];
  /** The seat that is for somebody else from now on; whoever opens its link plays there. */
  friend?: number | null;
}

/** The options that change for a rematch. */
export interface RematchOptions {
  rules?: Record<string, unknown>;
  clock_seconds?: number | null;
  away_seconds?: number | null;
  undo?: boolean;
  help?: "none" | "places" | "points";
  hints?: boolean;
  listed?: boolean;
  pace?: "at_once" | "calm" | "quick";
  spectators_react?: boolean;
}

/** Take a seat under a name. */
export interface TakeSeat {
  /** `null` lets the server choose one, which it marks as made up. */
  name?: string | null;
  /** `null` is the first free seat. */
  seat?: number | null;
  /** For tables set up before `fair/2`; otherwise it is ignored, and the device commits. */
  seed?: string;
  /** Commit the device to its seed in the same request; as by a request of its own. */
  commitment?: string | null;
  /** Start the match in the same request, after the commitment; as by a request of its own. */
  start?: boolean;
}

/** Commit the device to a seed that it reveals once the match is started. */
export interface Commitment {
  commitment: string;
}

/** Reveal the seed that the device committed to. */
export interface Seed {
  seed: string;
}

/** Take over a seat on another device by its secret link, which works once. */
export interface Claim {
  secret: string;
}

/** Steps of a score pad from number *since* on. */
export interface PadActs {
  secret: string;
  since: number;
  acts: (Record<string, unknown>)[];
}

/** How a club evening is played. */
export interface ClubOptions {
  name: string;
  system?: "round_robin" | "swiss";
  /** Players at a table; where the number of people wants it, one fewer. */
  seats?: number;
  /** How many rounds are planned; the host may end sooner or go on. */
  rounds?: number | null;
  /** Of every match, its target included; without a target a match is one round. */
  rules?: Record<string, unknown>;
  /** After so many rounds a match ends; without a target it has no other end. */
  match_rounds?: number | null;
  /** How tables are played unless the host says otherwise: on screens, or with real tiles. */
  tiles?: "real" | "screen";
}

/** Come to the evening with this device; the host writes down people without one. */
export interface ClubJoin {
  type: "join";
  name: string;
  /** What a late comer begins with; only the host gives any. */
  points?: number;
  /** Whether this device is the player's; the host says no. */
  here?: boolean;
}

/** Leave; the host may say so of anybody. */
export interface ClubLeave {
  type: "leave";
  player: number;
}

/** Be there again. */
export interface ClubReturn {
  type: "return";
  player: number;
}

/** Decide with how many points a player began; for the host. */
export interface ClubGrant {
  type: "grant";
  player: number;
  points: number;
}

/** Begin the next round; for the host. */
export interface ClubNextRound {
  type: "next_round";
  /** Of the round to begin, so that asking twice begins one. */
  number: number;
}

/** Play a table of the current round with real tiles, or on screens; for the host. */
export interface ClubSwitch {
  type: "switch";
  table: number;
  tiles: "real" | "screen";
}

/** Write down or correct the result of a table; for the host. */
export interface ClubResult {
  type: "result";
  round: number;
  table: number;
  totals: number[];
  /** The seats that won, if not simply the highest totals. */
  winners?: number[];
}

/** Confirm what the sheet of a table says; for the host. */
export interface ClubConfirm {
  type: "confirm";
  round: number;
  table: number;
}

/** End the evening; for the host. */
export interface ClubClose {
  type: "close";
}

/** Something to do at a club evening; the host sends the secret along. */
export interface ClubRequest {
  act: ClubJoin | ClubLeave | ClubReturn | ClubGrant | ClubNextRound | ClubSwitch | ClubResult | ClubConfirm | ClubClose;
  secret?: string | null;
}

/** Hours of the day in which nothing is told. */
export interface QuietHours {
  /** The minute of the day. */
  begin: number;
  end: number;
  /** Minutes that the clock of the device is ahead of UTC. */
  offset: number;
}

/** Where and when this device is told something while its page is closed, as a browser says. */
export interface PushSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
  language: string;
  wishes: ("invitations" | "reminders" | "turns")[];
  quiet?: QuietHours | null;
}

/** The record of a match that is over. */
export interface RecordToAnalyse {
  record: Record<string, unknown>;
}

/** The name and the face that a profile gets. */
export interface ProfileChange {
  name: string;
  face?: "tile0" | "tile1" | "tile2" | "tile3" | "tile4" | "tile5";
  label?: string;
}

/** Join a profile by the secret of a link. */
export interface JoinProfile {
  secret: string;
  label?: string;
  leave?: boolean;
}

/** Join a profile by its recovery phrase. */
export interface RecoverProfile {
  phrase: string;
  label?: string;
  leave?: boolean;
}

/** What the browser answered, as WebAuthn has it. */
export interface PasskeyAnswer {
  ticket: string;
  credential: Record<string, unknown>;
  label?: string;
  leave?: boolean;
}

/** A finished game or a score pad of a device, as its file. */
export interface GameUpload {
  at: number;
  data: Record<string, unknown>;
}

/** Something that the host should know about a seat. */
export interface NewReport {
  seat: number;
  reason: "cheating" | "leaving" | "name" | "other" | "stalling";
}

/** Refuse somebody for some hours: a profile, the devices at a seat, or their addresses. */
export interface NewBan {
  kind: "address" | "device" | "person";
  hours: number;
  person?: string | null;
  table?: string | null;
  seat?: number | null;
}

/** Take a place in the queue, or the one that this person has. */
export interface JoinQueue {
  type: "join";
  edition: string;
  players: number;
  name?: string | null;
  secret?: string | null;
}

/** Begin now, with bots at the seats that nobody has. */
export interface TakeBots {
  type: "bots";
}

/** Give the place up. */
export interface LeaveQueue {
  type: "leave";
}

/** Still here. */
export interface QueuePing {
  type: "ping";
}

/** Whether this seat wants the match to be rated. */
export interface RatingAgreement {
  agree: boolean;
}

/** Whether to be on leaderboards. */
export interface BoardWish {
  shown: boolean;
}

export type ClientMessage =
  | Hello
  | MoveMessage
  | NextRoundMessage
  | UndoMessage
  | AnswerUndo
  | GiveUpMessage
  | ReturnMessage
  | RemindMessage
  | StandInMessage
  | PauseMessage
  | ResumeMessage
  | EndMatchMessage
  | RevealMessage
  | AskHint
  | React
  | Ping;

// From the server.

/** A seat as everybody sees it. */
export interface SeatSummary {
  kind: "bot" | "person";
  /** `null` while the seat is free. */
  name: string | null;
  /** The bot that the table was set up with. */
  bot: string | null;
  /** The bot that plays for a person who is away. */
  substitute: string | null;
  is_free: boolean;
  /** Whether the server chose the name; show it in the reader's language. */
  is_made_up: boolean;
  /** The help of this seat, if it is not that of the table. */
  help: "none" | "places" | "points" | null;
  head_start: number;
}

/** A seat in the opening: the devices that committed for it, by number, or its bot. */
export interface FairSeat {
  devices?: number[];
  bot?: string;
}

/** A device that committed to a seed. */
export interface FairDevice {
  commitment: string;
  /** Whether it revealed the seed in time. */
  revealed?: boolean;
  /** Known to all from the first deal on. */
  seed?: string;
}

/** What was promised about the deals, and from the end of the match on, the server's seed. */
export interface Fairness {
  algorithm: string;
  /** Of the server, from the moment the table is set up. */
  commitment: string;
  /** Once the match is over, or the table is closed. */
  server_seed?: string;
  /** Of `fair/1` only, together with the server's seed. */
  player_seeds?: string[];
  /** The key that signs what follows. */
  public_key?: string;
  seats?: FairSeat[];
  devices?: FairDevice[];
  /** What was settled with the start, as it was signed. */
  opening?: string;
  opening_signature?: string;
  /** Every rule, as hashed in the opening; while seeds are being revealed. */
  rules?: Record<string, unknown>;
  /** When the deal is made without the seeds that are missing, in milliseconds since 1970. */
  reveal_until?: number;
  /** Of the transcript, which is the opening with the seeds of the devices. */
  signature?: string;
}

/** Points and their reason. */
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
  /** The drawn tile; only its owner sees it. */
  tile?: string;
  bonus?: string;
  /** Whether a bot played it for a person. */
  by_bot?: boolean;
}

/** The current round, or the last one. */
export interface RoundInfo {
  number: number;
  starter: number;
  start_draws: [number, string][];
  turns: TurnInfo[];
}

/** How a round ended, and the racks, which everybody may see now. */
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

/** A legal move and the points it scores or costs. */
export interface Choice {
  move: string;
  points?: number;
  bonus?: string;
}

/** What changes with every move. */
export interface Now {
  /** The number of this position; no other position of the table has it. */
  ply: number;
  turn: number;
  totals: number[];
  rack_sizes: number[];
  pool_size: number;
  /** Tiles drawn in the current turn. */
  draws: number;
  is_last_round: boolean;
  /** Milliseconds left of the turn when this was sent; absent if its time does not count. */
  remaining?: number;
  /** How many of these come from the reserve of the person to move; they are used last. */
  reserve?: number;
  /** The legal moves, if a seat of the receiver is to move. */
  choices?: Choice[];
  /** Why the receiver, who is to move, cannot draw. */
  why_not_draw?: string;
  end?: EndInfo;
}

/** How the match ended; head starts are added to the scores, and decide with them. */
export interface Result {
  scores: number[];
  winners: number[];
}

/** A request to take back the last *moves*. */
export interface UndoRequest {
  /** An answer names it. */
  id: number;
  seat: number;
  moves: number;
  agreed: number[];
}

/** Somebody waits for the person at a seat, who has not moved since. */
export interface Reminder {
  /** No other reminder of the table has it. */
  id: number;
  seat: number;
  by: number;
}

/** Everything the receiver may know about a table. */
export interface State {
  type: "state";
  version: number;
  table: string;
  state: "closed" | "finished" | "open" | "opening" | "playing";
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
  /** The seat of the device that set up the table, if it has one. */
  host?: number;
  /** Whether only a few more rounds fit on the table. */
  nearly_full?: boolean;
  /** How many seconds each person who is not connected had been away when this was sent. */
  away?: Record<string, number>;
  reminders?: Reminder[];
  /** The seat that paused the match. */
  paused?: number;
  /** Why the table was closed; `absent` is a match that ended because people stayed away. */
  closed_why?: string;
  /** The club evening that the table belongs to. */
  club?: string;
  /** After so many rounds the match ends, although nobody has met the target. */
  rounds?: number;
  /** Whether the server brought people together who may not know each other. */
  strangers?: boolean;
  /** Whether the result counts for the ratings of everybody here. */
  is_rated?: boolean;
  /** The seats that agreed to a rated match. */
  rating_agreed?: number[];
  protocol?: number;
}

/** The moves since a version, to be applied in order. */
export interface Moved {
  type: "moved";
  version: number;
  since: number;
  turns: TurnInfo[];
  now: Now;
}

/** The receiver has the newest version. */
export interface Current {
  type: "current";
  version: number;
}

/** The message *id* was carried out, and is on disk as of *version*. */
export interface Ack {
  type: "ack";
  id: number;
  version: number;
}

/** The message *id* was refused and changed nothing. */
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
  /** As in a state. */
  away?: Record<string, number>;
}

/** The reaction of a seat, or of somebody who watches. */
export interface Reaction {
  type: "reaction";
  seat: number | null;
  sign: string;
}

/** A reason for or against a move. What it gains, what may follow and how likely that is, which tiles it keeps, or which other move is as good. */
export interface HintReason {
  kind: "bonus" | "danger" | "draw" | "fits" | "hopes" | "keeps" | "out" | "points" | "stuck" | "tie";
  points: number;
  /** Of a danger, that the next player scores so many points; of `stuck`, that they place nothing; of `fits` and `hopes`, the part of the unseen tiles that fit, or score. */
  chance?: number;
  bonus?: string;
  /** How many tiles are kept that fit at `number`. */
  count?: number;
  number?: number;
  /** The move that is as good. */
  move?: string;
}

/** A move of a hint. */
export interface HintMove {
  move: string;
  /** The probability of winning the round. */
  win: number;
  /** The expected lead in points at its end. */
  margin: number;
  why: HintReason[];
}

/** The answer to the question *id*: the best moves, best first. */
export interface Hint {
  type: "hint";
  id: number;
  ply: number;
  moves: HintMove[];
}

/** The answer to a ping. */
export interface Pong {
  type: "pong";
  id: number;
  at: number;
}

/** The server closes this socket; *code* says whether to come back. */
export interface Bye {
  type: "bye";
  code: string;
  detail: string;
}

/** Where a match from a browser is played on. */
export interface ArrivedTable {
  id: string;
  /** The secret link to the friend's seat; it is shown once. */
  path: string | null;
}

/** What this server knows about telling this device. */
export interface PushState {
  /** What to subscribe with; `null` if nobody is told here. */
  key: string | null;
  is_subscribed: boolean;
}

/** The secret that names a device; browsers get it as a cookie, too. */
export interface Device {
  secret: string;
}

/** The seat that was taken. */
export interface SeatTaken {
  table: string;
  seat: number;
}

/** A secret that opens a seat on another device. It is shown once and works once. */
export interface SeatLink {
  table: string;
  seat: number;
  secret: string;
  path: string;
}

/** How a match stands, as everybody may see it. */
export interface Standing {
  round: number;
  /** The seat to move; `null` between rounds and at the end. */
  turn: number | null;
  totals: number[];
  /** Empty until the match is over. */
  winners: number[];
  /** The tiles on the board, in the order they were laid. */
  places: string[];
}

/** A table in a list. */
export interface TableSummary {
  id: string;
  state: "closed" | "finished" | "open" | "opening" | "playing";
  edition: string;
  rules: Record<string, unknown>;
  target: number | null;
  seats: SeatSummary[];
  listed: boolean;
  created: number;
  updated: number;
  fair: Fairness;
  /** The seats of the device that sent the request. */
  you: number[];
  /** Of a match that has begun; left out of the lobby. */
  standing: Standing | null;
  /** After so many rounds the match ends, although nobody has met the target. */
  rounds: number | null;
}

/** A new live sheet: its id is for reading, its secret for writing. The secret is shown once. */
export interface PadMade {
  pad: string;
  secret: string;
  path: string;
}

/** How many steps of a sheet the server has. */
export interface PadVersion {
  pad: string;
  version: number;
}

/** Steps of a sheet from number *since* on. */
export interface PadNews {
  pad: string;
  since: number;
  acts: (Record<string, unknown>)[];
}

/** A new club evening. The secret makes one its host, and is shown once. */
export interface ClubMade {
  club: string;
  secret: string;
  path: string;
}

/** Somebody who came; players are numbered in the order in which they did. */
export interface ClubPlayer {
  name: string;
  present: boolean;
  /** What the player began with. */
  points: number;
  /** Whether the player came by the link, and can play on a screen. */
  has_device: boolean;
}

/** A table of a round. */
export interface ClubTable {
  players: number[];
  tiles: "real" | "screen";
  /** Of the table, or of the live sheet. */
  id: string;
  totals: number[] | null;
  /** Seats, that is places in `players`. */
  winners: number[];
  /** Where the result comes from. */
  source: "host" | "sheet" | "table" | null;
  confirmed: boolean;
  /** What opens the score pad for writing: for the host and those who play there. */
  path: string | null;
}

/** A round. */
export interface ClubRound {
  tables: ClubTable[];
  byes: number[];
}

/** A line of the standings. */
export interface ClubRow {
  rank: number;
  player: number;
  points: number;
  buchholz: number;
  direct: number;
  difference: number;
  tables: number;
  wins: number;
  byes: number;
}

/** A club evening as the one who asks may see it. */
export interface ClubState {
  club: string;
  version: number;
  options: ClubOptions;
  closed: boolean;
  players: ClubPlayer[];
  rounds: ClubRound[];
  standings: ClubRow[];
  /** The player of the device that asks. */
  you: number | null;
  is_host: boolean;
}

/** On the socket of a club evening: something has happened, and up to which version. */
export interface ClubNews {
  club: string;
  version: number;
}

/** A player's match, with luck and skill separated. */
export interface AnalysedPlayer {
  seat: number;
  decisions: number;
  /** What the deals and everybody's draws were worth, in rounds won; over the players it sums to zero. */
  luck: number;
  /** What the player's decisions gave away, in rounds won. */
  lost: number;
  lost_points: number;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  /** The standard error of `lost`. */
  noise: number;
}

/** A decision: what the played move was worth, and the best one. */
export interface MarkedMove {
  /** The index of the move in the turns of the round. */
  turn: number;
  seat: number;
  /** The probability of winning the round after the played move. */
  win: number;
  /** The expected lead in points at the end of the round. */
  margin: number;
  best: string;
  best_win: number;
  best_margin: number;
  /** The probability of winning the round that was given away. Below zero if the move played looks better than the best, which is chance or an error of the search. */
  lost: number;
  /** The standard error of `lost`. */
  noise?: number;
  mark?: "blunder" | "inaccuracy" | "mistake";
  /** Reasons for the best move, if the played one has a mark. */
  why?: HintReason[];
}

/** The analysis of a round. */
export interface AnalysedRound {
  /** The probability of each seat to win: before the first move, and after every one. */
  chances: number[][];
  /** The moves where there was a choice. */
  moves: MarkedMove[];
}

/** The analysis of a match. */
export interface Analysis {
  players: AnalysedPlayer[];
  rounds: AnalysedRound[];
}

/** The progress of an analysis, and its result. */
export interface AnalysisState {
  id: string;
  state: "done" | "failed" | "none" | "running" | "waiting";
  /** Moves that have been analysed. */
  done: number;
  total: number;
  /** Analyses that are before this one in the queue. */
  ahead: number;
  /** Why it failed. */
  why: string | null;
  result: Analysis | null;
}

/** A level of bot. */
export interface BotInfo {
  name: string;
  /** Why it cannot play on this server; `null` if it can. */
  why_not: string | null;
}

/** A statement of the rule book: the key of its text and the values to fill in. */
export interface RuleLine {
  key: string;
  values: Record<string, number | string>;
  /** Whether it differs from the edition. */
  changed: boolean;
}

/** A chapter of the rule book. */
export interface RuleChapter {
  name: string;
  /** The key of the heading. */
  title: string;
  lines: RuleLine[];
  /** The names of its figures. */
  figures: string[];
}

/** How many tiles are dealt to so many players. */
export interface RuleDeal {
  players: number;
  each: number;
  pool: number;
  /** Whether it differs from the edition. */
  changed: boolean;
}

/** A row of the table of points. */
export interface RuleScore {
  key: string;
  values: Record<string, number | string>;
  /** What it scores; `null` where a text says what it is worth. */
  points: number | null;
  /** The key of that text, or empty. */
  worth: string;
  figure: string;
  /** Whether it differs from the edition. */
  changed: boolean;
}

/** A move that can be tried in the position of a question. */
export interface RuleTry {
  move: string;
  /** Why it is not legal, or `null` if it is. */
  why: string | null;
  points: number;
}

/** A question about the rules and its answer. */
export interface RuleAnswer {
  name: string;
  /** The key of the question. */
  question: string;
  /** The key of the answer. */
  key: string;
  values: Record<string, number | string>;
  yes: boolean;
  /** `printed`, `reading` or `house`. */
  source: string;
  figure: string;
  /** What can be tried; the move that the question asks about comes first. */
  tries: RuleTry[];
}

/** A worked sum: a score, what is added or taken away, and the result. */
export interface RuleSum {
  key: string;
  values: Record<string, number | string>;
  start: number;
  parts: number[];
  total: number;
}

/** The rules of a game, as keys of texts and numbers. */
export interface RuleBook {
  /** The edition and every field that differs from it. */
  rules: Record<string, unknown>;
  /** Whether it speaks of cards, hand and stack, by texts with keys of their own. */
  cards: boolean;
  chapters: RuleChapter[];
  deals: RuleDeal[];
  /** The game in a few lines. */
  minute: RuleLine[];
  /** The table of points; empty without points. */
  scores: RuleScore[];
  answers: RuleAnswer[];
  sums: RuleSum[];
  /** The names of the figures of near misses. */
  misses: string[];
  advice: RuleLine[];
  /** What the printed rules say besides, and what they leave open. */
  leaflet: RuleLine[];
  /** The key of the line that explains a refusal, by its code. */
  paragraphs: Record<string, string>;
}

/** A device of a profile. */
export interface MyDevice {
  id: string;
  label: string;
  joined: number;
  is_this: boolean;
}

/** A passkey of a profile. */
export interface MyKey {
  id: string;
  made: number;
}

/** A profile as its own devices see it. */
export interface Profile {
  id: string;
  name: string;
  face: string;
  made: number;
  devices: MyDevice[];
  keys: MyKey[];
  phrase: number | null;
}

/** The profile of the device that asks, if it has one. */
export interface Me {
  profile: Profile | null;
}

/** A link by which another device joins a profile, once; it is shown once. */
export interface DeviceLink {
  secret: string;
  path: string;
  expires: number;
}

/** Words by which a device joins a profile, once; they are shown once. */
export interface RecoveryPhrase {
  phrase: string;
}

/** What the browser is asked for, as WebAuthn has it, and the ticket to answer with. */
export interface PasskeyOptions {
  options: Record<string, unknown>;
  ticket: string;
}

/** A game of a profile: a table of the server, or something that was uploaded. */
export interface MyGame {
  id: string;
  kind: "match" | "pad" | "table";
  at: number;
}

/** Somebody whom a person has muted or blocked. */
export interface MarkedPerson {
  id: string;
  name: string | null;
  face: string;
  kind: "block" | "mute";
}

/** Who sits at a seat, for those who play at the same table. */
export interface SeatPerson {
  seat: number;
  face: string;
  is_you: boolean;
  marks: ("block" | "mute")[];
}

/** A table in the host's list. */
export interface HostTable {
  id: string;
  state: string;
  updated: number;
  strangers: boolean;
  seats: SeatSummary[];
  people: (string | null)[];
}

/** A profile in the host's list. */
export interface HostPerson {
  id: string;
  name: string;
  face: string;
  made: number;
  devices: number;
  banned_until: number | null;
}

/** A report in the host's list. */
export interface HostReport {
  id: string;
  at: number;
  reason: string;
  table: string;
  seat: number;
  about: string;
  name: string | null;
  handled: boolean;
}

/** Who is refused until a time. */
export interface HostBan {
  kind: "address" | "device" | "person";
  subject: string;
  until: number;
  name: string | null;
}

/** The host's page. */
export interface HostOverview {
  tables: HostTable[];
  people: HostPerson[];
  reports: HostReport[];
  bans: HostBan[];
}

/** Why a request was refused. */
export interface Problem {
  code: string;
  detail: string;
}

/** How the waiting goes. */
export interface QueueState {
  type: "waiting";
  edition: string;
  players: number;
  waited: number;
  others: number;
  usual?: number;
  bots_offered?: boolean;
  takes_bots?: boolean;
}

/** There is a table: enter it within a few seconds, or the place is lost. */
export interface QueueTable {
  type: "table";
  table: string;
  is_running?: boolean;
}

/** The place was given up, here or on another page. */
export interface QueueLeft {
  type: "left";
}

/** Why there is no place. */
export interface QueueRefused {
  type: "refused";
  code: string;
  detail: string;
}

/** What a match made of the rating of a seat. */
export interface SeatRating {
  seat: number;
  before: number;
  points: number;
  uncertainty: number;
}

/** What the match of a table made of ratings. */
export interface TableRatings {
  settled: boolean;
  changes: SeatRating[];
}

/** A rating as people read it. */
export interface RatingInfo {
  points: number;
  uncertainty: number;
  matches: number;
  provisional: boolean;
}

/** A rated match in the course of a rating. */
export interface RatingStep {
  at: number;
  table: string;
  before: number;
  points: number;
  uncertainty: number;
}

/** The rating of a person in an edition, and how it came about. */
export interface EditionRating {
  edition: string;
  rating: RatingInfo;
  course: RatingStep[];
}

/** The ratings of the person who asks. */
export interface PersonRatings {
  editions: EditionRating[];
  on_board: boolean;
}

/** A line of a leaderboard. */
export interface BoardLine {
  rank: number;
  person: string;
  name: string;
  face: string;
  rating: RatingInfo;
  you: boolean;
}

/** The best of an edition. */
export interface Leaderboard {
  edition: string;
  lines: BoardLine[];
  needed: number;
  you: RatingInfo | null;
  on_board: boolean;
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
