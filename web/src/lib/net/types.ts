/** The messages of the protocol, and a few names made from them. */
import type {
  AnswerUndo,
  AskHint,
  GiveUpMessage,
  NextRoundMessage,
  React,
  ReturnMessage,
  TableOptions,
  UndoMessage,
} from "../../protocol";

export type * from "../../protocol";

export type Sign = React["sign"];
export type Help = NonNullable<TableOptions["help"]>;
export type Json = Record<string, unknown>;

type Unsent<T> = T extends unknown ? Omit<T, "version" | "id"> : never;
/** What one may ask of a table beside a move; the version and the number come when it is sent. */
export type Command = Unsent<
  NextRoundMessage | UndoMessage | AnswerUndo | GiveUpMessage | ReturnMessage | AskHint
>;
