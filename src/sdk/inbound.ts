/** Input from a channel, the immediate reply to its sender, and the commands that people can write. */
import type { DeliveryId, Identity, SessionId, Token } from "../model/ids.js";
import type { DeliveryRef } from "./delivery-ref.js";

/** One incoming event. The hub has stored the raw update before the channel interprets it. */
export type Inbound =
  /** A button was pressed. */
  | {
      readonly kind: "tap";
      readonly token: string;
      /** The message with the button, as `deliver` would have returned it, if the service provides it. */
      readonly ref?: DeliveryRef;
      readonly identity: Identity;
      readonly place: string;
      readonly sentAt?: number;
      readonly receivedAt: number;
    }
  /**
   * A text that directly answers one of our messages (`ref`: exactly what `deliver` returned for it). A choice with text is
   * written `3: the text`.
   */
  | {
      readonly kind: "text_reply";
      readonly ref: DeliveryRef;
      /** The delivery, if the service returned it: a card whose posting's response was lost has an unknown `ref`. */
      readonly deliveryId?: DeliveryId;
      readonly text: string;
      readonly identity: Identity;
      readonly place: string;
      /** The session whose own thread or topic it was written in. */
      readonly about?: SessionId;
      readonly sentAt?: number;
      readonly receivedAt: number;
    }
  /** Any other text, commands included. It never answers a prompt directly. */
  | {
      readonly kind: "text";
      readonly text: string;
      readonly identity: Identity;
      readonly displayName: string;
      readonly place: string;
      /** The session whose own thread or topic it was written in. */
      readonly about?: SessionId;
      /**
       * When it was written, in ms since 1970 by the service's clock, if the service says so. A message that comes after a newer one, or
       * long after it was written, is no command for a console.
       */
      readonly sentAt?: number;
      readonly receivedAt: number;
    }
  /** Somebody requests the screen behind a delivery. */
  | {
      readonly kind: "look";
      readonly deliveryId: DeliveryId;
      readonly identity: Identity;
      readonly place: string;
      readonly receivedAt: number;
    }
  /** Text like an answer that cannot be one: the sender gets the reason, and it is recorded. */
  | {
      readonly kind: "unfit";
      /**
       * A copy of a card or message; a text edited after it was sent; a member of another organisation; somebody who writes
       * under a group's name; a picture, voice message or file, with or without a caption.
       */
      readonly why: "forwarded" | "edited" | "outsider" | "anonymous" | "media";
      readonly identity: Identity;
      readonly place: string;
      /** The session whose own thread or topic it was written in. */
      readonly about?: SessionId;
      /** Our message that it replies to. */
      readonly ref?: DeliveryRef;
      /** What it says. It is never an answer; the hub finds out whether it may be a password. */
      readonly text?: string;
      readonly receivedAt: number;
    };

/**
 * Where updates go. `store` is durable and idempotent by (channel, key): the channel calls it before it advances its offset or
 * acknowledges the envelope. The hub then calls `Channel.interpret` at least once per stored update.
 */
export interface Inbox {
  /** Resolves when the raw update is committed. False if it was already stored. */
  store(key: string, raw: unknown): Promise<boolean>;
}

/** The immediate reply to the person (a callback answer, an ephemeral line); never waits for the injection. */
export interface InboundResponse {
  readonly text: string;
  /** True if it deserves more than a toast. */
  readonly alert: boolean;
  /**
   * True if it only says that the message was accepted, and what becomes of it shows elsewhere. A service that can mark the sender's
   * message does that instead of sending the text. Has no effect where a tap gets a passing line.
   */
  readonly isReceipt?: boolean;
  /** Buttons below the text, one a row: a tap on one is a tap on the card that it belongs to. */
  readonly buttons?: readonly { readonly token: Token; readonly label: string }[];
  /** The message with the pressed button is to lose its buttons, and to show `text` above its own, where the service can edit it. */
  readonly closesCard?: boolean;
  /** The sender's message is to be deleted where the service lets an app do so; the reply is then this instead of `text`. */
  readonly ifDeleted?: string;
  /** The card belongs to another hub with the same bot. A channel that can find out whether that one is connected does so now. */
  readonly isForeignCard?: boolean;
}

/** A command that people can write in a chat. The hub interprets it; channels list them in their own ways. */
export interface ChatCommand {
  readonly word: string;
  /** What follows the word; empty if nothing does. */
  readonly use: string;
  readonly does: string;
}

export const CHAT_COMMANDS: readonly ChatCommand[] = [
  { word: "prompts", use: "", does: "list open prompts" },
  { word: "sessions", use: "", does: "list running sessions" },
  { word: "status", use: "", does: "both, and whether answers are accepted" },
  {
    word: "answer",
    use: "k7 2",
    does: "answer prompt k7 with choice 2, in the chat that shows it; yes, no or a text work too",
  },
  {
    word: "show",
    use: "k7",
    does: "show a prompt with its content; `answer k7,k8 1` answers the same request asked twice",
  },
  { word: "screen", use: "api", does: "show a session's terminal" },
  { word: "stop", use: "api", does: "interrupt a session" },
  {
    word: "task",
    use: "api fix the tests",
    does: "give a session its next task; or reply to its last message",
  },
  {
    word: "grants",
    use: "",
    does: "list what is allowed in advance; end it with `revoke g3` or `revoke all`",
  },
  {
    word: "grant",
    use: "k7 1h",
    does: "say yes to k7 and allow exactly that for a time (10m, 1h, session) or 5x",
  },
  {
    word: "deny",
    use: "all api",
    does: "say no to everything that a session asks, and interrupt it",
  },
  {
    word: "delegate",
    use: "Cat 2h",
    does: "let somebody else answer in your place; `delegations` lists that, `undelegate` ends it",
  },
  { word: "pause", use: "", does: "accept no answers until resume" },
  {
    word: "resume",
    use: "",
    does: "accept answers again; `resume api` sends a session's held back prompts again",
  },
  { word: "help", use: "", does: "list the commands" },
];

/** Commands that mean something without words after them. */
const BARE_WORDS: readonly string[] = CHAT_COMMANDS.filter(
  ({ word }) => !["answer", "show", "task", "grant", "deny", "delegate"].includes(word),
).map(({ word }) => word);

/** The list that `help` shows. */
export const CHAT_HELP: string = [
  "To answer, tap or reply to a card. To give an idle session a task, reply to its last message, or write the task and tap.",
  "",
  ...CHAT_COMMANDS.map(({ word, use, does }) => `${use === "" ? word : `${word} ${use}`}: ${does}`),
  "A session has the name that `sessions` shows; without one, the only session is meant.",
].join("\n");

/** For services that suggest commands while somebody types. */
export const SUGGESTED_COMMANDS: readonly { readonly command: string; readonly description: string }[] =
  CHAT_COMMANDS.filter(({ word }) => BARE_WORDS.includes(word)).map(({ word, does }) => ({
    command: word,
    description: does,
  }));
