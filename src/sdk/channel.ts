/** The channel contract (docs/how-to/add-a-channel.md): a plugin delivers notices and collects replies, and decides nothing. */
import type { DeliveryId, Identity, PromptId, SessionId, ShortId, Token } from "../model/ids.js";
import type { FormField } from "../model/answer/form.js";
import type { Choice, PromptContent, PromptType, SafetyClass } from "../model/prompt.js";
import type { Clock } from "../model/clock.js";
import type { Inbound, InboundResponse, Inbox } from "./inbound.js";
import type { Pairing } from "./pairing.js";
import type { DeliveryRef } from "./delivery-ref.js";

// Everything of the core that a plugin may use: plugins import only `src/sdk` and npm packages.
export { AtlasBridgeError, InvariantError, assertInvariant } from "../model/errors.js";
export { asId } from "../model/ids.js";
export type { Cancel, Clock } from "../model/clock.js";
export type { DeliveryId, Identity, PromptId, SessionId, ShortId, Token } from "../model/ids.js";
export type { Choice, PromptContent, PromptType, SafetyClass } from "../model/prompt.js";
export type { FormField, FormOption } from "../model/answer/form.js";
export type { ToolState } from "../model/tool-state.js";
export { DeliveryError, type Certainty } from "./delivery-error.js";
export type { Inbound, InboundResponse, Inbox } from "./inbound.js";
export type { GroupFacts, Pairing, PairingAccount, PairingSecret } from "./pairing.js";

/** Version of this contract; a manifest with another version is refused at registration. */
export const CHANNEL_API = 2;

/** Limits as data, to which the core adapts. Lengths are in characters unless the name says bytes. */
export interface ChannelCapabilities {
  readonly tokenBytesMax: number;
  readonly buttonsMax: number;
  /** Whether posted messages can be edited; otherwise an outcome comes as a new message. */
  readonly edit: boolean;
  /** Whether people can send text; otherwise only prompts with buttons can be answered there, and cards do not ask for text. */
  readonly freeText: boolean;
  readonly files: boolean;
  /** Whether cards show `step`, and edits change it. Absent: several questions are answered in writing. */
  readonly steps?: boolean;
  /** The rate limits of the service; null only if nothing leaves the machine. */
  readonly pace: Pace | null;
}

/** A rate: a burst of calls and from then on one per interval, or so many calls within any time of that length. */
export type Allowance =
  { readonly burst: number; readonly everyMs: number } | { readonly most: number; readonly withinMs: number };

/** The rate limits of a service. Everything people see counts: messages, edits, files. All allowances apply together. */
export interface Pace {
  readonly place: (place: string) => readonly Allowance[];
  /** All places together. */
  readonly all: readonly Allowance[];
  /** Edits of posted messages, all places together. */
  readonly edits: readonly Allowance[];
}

/** Who a channel is. `id`: lower case, as in the configuration; `api`: `CHANNEL_API`. */
export interface ChannelManifest {
  readonly id: string;
  readonly api: number;
  readonly capabilities: ChannelCapabilities;
}

/** Several questions that are filled in by taps, one at a time, or a check list that is ticked. The buttons belong to this step. */
export interface NoticeStep {
  /** How many questions there are. */
  readonly of: number;
  /** The question of this step, numbered from 1. Null: all are answered, and the card shows them before they are sent. */
  readonly asked: { readonly number: number; readonly field: FormField } | null;
  /** The other questions that are answered so far. */
  readonly given: readonly {
    readonly number: number;
    readonly question: string;
    readonly answer: string;
  }[];
}

/** A button: its label, and the opaque token that comes back. */
export interface NoticeButton {
  readonly token: Token;
  readonly choice: Choice;
  /** The value of a reply with this button: `2`, `y`. */
  readonly value: string;
}

/** Where the session runs, for people; already redacted and sanitized. */
export interface NoticeSession {
  /** Messages of one session belong into one thread or topic, if the service has them. */
  readonly sessionId: SessionId;
  readonly tool: string;
  readonly label: string | null;
  readonly place: string;
  /** Its machine; absent while only one machine is known. */
  readonly host?: string;
  /** True if the agent itself asks, by a call: no terminal shows its prompts. */
  readonly underTool?: boolean;
  /** The session has ended: this is its last message. */
  readonly ended: boolean;
}

/** A channel-independent message; all text is already redacted and sanitized, without any channel's markup. */
export type Notice =
  | {
      readonly kind: "prompt";
      readonly deliveryId: DeliveryId;
      readonly place: string;
      readonly promptId: PromptId;
      readonly shortId: ShortId;
      readonly session: NoticeSession;
      readonly promptType: PromptType;
      readonly safetyClass: SafetyClass;
      readonly confidence: string;
      readonly question: string;
      readonly content: PromptContent;
      readonly choices: readonly Choice[];
      /** Several choices may be ticked; answered as `1,3` or `none`. */
      readonly multi: boolean;
      /** The choices are not rows of the dialog on the screen, and have letters so that they are not confused with them. */
      readonly lettered?: boolean;
      /**
       * Several questions at once, answered with one line each: the number of an option, `1,3`, `none`, or own text. Null: one
       * question.
       */
      readonly form: readonly FormField[] | null;
      /** Where the person is who fills in `form`, or ticks the choices of `multi`; absent if that is done in writing. */
      readonly step?: NoticeStep;
      readonly defaultChoice: number | null;
      readonly buttons: readonly NoticeButton[];
      /** A direct text reply to this notice is an answer (free text, or the text of a choice). */
      readonly acceptsText: boolean;
      /** Names of the approvers if the only reader may not answer: no buttons, and text is no answer. Missing: see `buttons`. */
      readonly onlyBy?: readonly string[];
      /** People may request the terminal's screen (`look`). */
      readonly screenView: boolean;
      /** Milliseconds since 1970, or null for never. */
      readonly expiresAt: number | null;
      /** The label of the answer that is given at `expiresAt` if nobody answers; null or missing: none. */
      readonly expiryAnswer?: string | null;
      /** At `expiresAt` the prompt is refused if nobody answers: its tool gets a No. Missing: it is not, see `expiryAnswer`. */
      readonly refusedLate?: true;
      /** It is sent so many milliseconds later than it was due. Missing: at once, or it is an edit. */
      readonly lateMs?: number;
      /** What the policy says of the prompt, in one line. */
      readonly policyNote?: string;
      /** The people it should alert: those who may answer here. Services that do not alert by themselves mention them by name. */
      readonly addressees: readonly Identity[];
      /** Posted silently. */
      readonly quiet: boolean;
    }
  | {
      readonly kind: "text";
      readonly deliveryId: DeliveryId;
      readonly place: string;
      readonly session: NoticeSession;
      readonly text: string;
      /** Below the text, in a fixed-width font: a terminal's screen. Null if there is none. */
      readonly block: string | null;
      /** What may be done with a tap, where the service has buttons; all of it can be done in writing, too. */
      readonly buttons?: readonly NoticeButton[];
      /** What a file with the block is called, where it is too long for a message; missing: `screen.txt`. */
      readonly blockFile?: string;
      /** The block as a PNG file, for services that accept files; they need not show the block as well. */
      readonly picture?: Uint8Array;
      readonly addressees: readonly Identity[];
      /** Posted silently. */
      readonly quiet: boolean;
    };

/** A notice with a question: a card. */
export type PromptNotice = Extract<Notice, { kind: "prompt" }>;

/** The outcome of a prompt, for every card that showed it. */
export interface Outcome {
  readonly state: "answered" | "uncertain" | "failed" | "withdrawn" | "superseded" | "expired" | "refused";
  /** One line for people: `✅ Yes, by Ara, confirmed`, `✅ Yes, by Ara, taken by bash`, `answered at the terminal`. */
  readonly text: string;
  /** False after `refused`: the card keeps its buttons (with new tokens) because the prompt is still open. */
  readonly final: boolean;
  /** The buttons from now on: the answers while the card stays open; on a final one, further actions. */
  readonly buttons?: readonly NoticeButton[];
}

/** The state of a channel's connection. `reason` and `action` are words for people, without tokens. */
export type ChannelHealth =
  | { readonly state: "starting" | "connected" | "stopped" }
  | { readonly state: "degraded" | "failed"; readonly reason: string; readonly action: string };

/** An overview for a page; sanitized, oldest first. */
export interface Overview {
  readonly paused: boolean;
  readonly prompts: readonly {
    readonly shortId: ShortId;
    readonly session: NoticeSession;
    readonly question: string;
    /** Milliseconds since 1970. */
    readonly askedAt: number;
  }[];
  /** The text if `prompts` is empty: answers in progress, or prompts that may wait unnoticed. */
  readonly ifNone: string;
  readonly sessions: readonly {
    readonly session: NoticeSession;
    /** The tool's state, or why it is not known now. */
    readonly state: string;
    readonly openPrompts: number;
  }[];
}

/** What the hub provides to a channel. */
export interface ChannelHost {
  readonly clock: Clock;
  /** 0..1, for random delays. */
  random(): number;
  /** The current prompt notice of one of this channel's deliveries; null once the prompt is settled. */
  openNotice(deliveryId: string): PromptNotice | null;
  /** Whether the hub has a record of this delivery of the channel. */
  knows(deliveryId: string): boolean;
  /** Null for a stranger, who learns nothing. */
  overview(identity: Identity): Overview | null;
  /** Small durable values of this channel, such as the update offset keyed by bot id. */
  getSetting(key: string): string | null;
  setSetting(key: string, value: string): void;
  /** Something was written to this place by any call: it counts against the channel's rate limits. */
  wrote(place: string): void;
  /** The connection's state changed; shown in `status`. */
  report(health: ChannelHealth): void;
  /**
   * A configured place refuses messages, with the service's reason and the remedy; or (null) it accepts them again. Not needed
   * when a `deliver` fails permanently or a message arrives from the place: the hub notices both.
   */
  reportPlace(place: string, refusal: string | null): void;
  /** A structured log line without tokens or message texts. */
  log(
    level: "debug" | "info" | "warn" | "error",
    message: string,
    fields?: Readonly<Record<string, unknown>>,
  ): void;
  /** Sends to local watching clients (the terminal channel) only. */
  broadcast(payload: unknown): void;
}

/** A custom address from the configuration that replaces the service's own, and the secrets that would be sent there. */
export interface ForeignEndpoint {
  readonly address: string;
  readonly secrets: readonly string[];
}

/** A running channel. */
export interface Channel {
  /** Connects; resolves at once. A lost connection is a state (`host.report`), never an exception. */
  start(inbox: Inbox): Promise<void>;
  /** Posts one notice. Errors: DeliveryError. */
  deliver(notice: Notice): Promise<DeliveryRef>;
  /** Pure: how many characters of the prompt its card leaves to the file beside it, on every edit. Absent: none. */
  countOmitted?(notice: PromptNotice): number;
  /** Shows the outcome on a posted card. Errors: DeliveryError. "Already so" is success. */
  settle(ref: DeliveryRef, notice: Notice, outcome: Outcome): Promise<void>;
  /**
   * Closes the session's thread or topic at this place: the session ended, and no message will say so. Absent if the service
   * closes none. Best effort.
   */
  closeThread?(place: string, session: NoticeSession): Promise<void>;
  /** Posts a line about the hub itself, into no session's thread. Uses no setting of the host: the ledger may be unwritable. Absent: none is posted. Errors: DeliveryError. */
  announce?(place: string, text: string, quiet: boolean): Promise<void>;
  /**
   * Asks the service whether it responds now, without changing anything there. The hub waits for `limitMs`. Absent only if there is
   * no service. Errors: DeliveryError with the reason.
   */
  probe?(limitMs: number): Promise<void>;
  /** Pure: the meaning of a stored raw update, or null if it is not for us. */
  interpret(raw: unknown): Inbound | null;
  /**
   * Pure: the same update with `text` in place of all that the person wrote. The hub stores it so where that may be a password. Absent:
   * it is stored as it came until it is handled.
   */
  replaceText?(raw: unknown, text: string): unknown;
  /** Pure: the sender of a raw update, whatever it means; null if unknown. */
  findSender?(raw: unknown): Identity | null;
  /** Tells the sender of a stored update the result (stops the spinner). The reply's ref, if `settle` can edit it. Never throws. */
  respond(raw: unknown, answer: InboundResponse): Promise<DeliveryRef | null>;
  stop(): Promise<void>;
}

/** What `doctor` reports about a channel. Holds no token and no address with one. */
export interface ChannelFinding {
  /** `warn`: it works, or will work without help, but somebody should know. */
  readonly state: "ok" | "warn" | "fail";
  readonly found: string;
  /** The action to take; null if none is needed. */
  readonly action: string | null;
}

/** Default export of `channels/<id>/index.ts`. */
export interface ChannelPlugin<Config> {
  readonly manifest: ChannelManifest;
  /** Places (chat ids) that notices go to. Empty: pairing only, nothing else is ever sent. */
  places(config: Config): readonly string[];
  /** The only reader of messages there (a private chat). Null or absent if unknown or if there are several. */
  personAt?(place: string): Identity | null;
  /** Errors: AtlasBridgeError ATB_CONFIG_INVALID for problems that show only with the secrets in place. Connects to nothing. */
  create(config: Config, host: ChannelHost): Channel;
  /** Absent if nobody needs to be paired. */
  readonly pairing?: Pairing<Config>;
  /**
   * For `doctor` while no hub is running: asks the service whether this channel would work, each request limited to `limitMs`.
   * Changes nothing there and consumes no update. Rejects only with bugs: any response of the service, or none, is a finding.
   */
  diagnose?(config: Config, clock: Clock, limitMs: number): Promise<ChannelFinding>;
}
