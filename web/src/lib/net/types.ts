/** The messages of the protocol, and types derived from them. */
import type {
  AnswerUndo,
  AskHint,
  EndMatchMessage,
  GiveUpMessage,
  NextRoundMessage,
  PauseMessage,
  React,
  RemindMessage,
  ResumeMessage,
  ReturnMessage,
  StandInMessage,
  TableOptions,
  UndoMessage,
} from "../../protocol";

export type * from "../../protocol";

export type Sign = React["sign"];
export type Help = NonNullable<TableOptions["help"]>;
export type Pace = NonNullable<TableOptions["pace"]>;
export type Json = Record<string, unknown>;

type Unsent<T> = T extends unknown ? Omit<T, "ply" | "id"> : never;
/** A command other than a move; its ply, if it has one, and its id are added when it is sent. */
export type Command = Unsent<
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
  | AskHint
>;
