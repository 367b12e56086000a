/** The channel contract (docs/how-to/add-a-channel.md): a plugin that delivers notices and collects replies, and decides nothing. */
import type { DeliveryId, Identity, PromptId, SessionId, ShortId, Token } from "../model/ids.js";
import type { FormField } from "../model/answer/form.js";
import type { Choice, PromptContent, PromptType, SafetyClass } from "../model/prompt.js";
import type { ToolState } from "../model/tool-state.js";
import type * as v from "valibot";
import type { Clock } from "../model/clock.js";
import type { Inbound, InboundAnswer } from "./inbound.js";
import type { Pairing } from "./pairing.js";
import type { DeliveryRef } from "./delivery-ref.js";

// All that a plugin may use of the core: it imports `src/sdk` and npm packages, nothing else.
export { AtlasBridgeError, InvariantError, invariant } from "../model/errors.js";
export { asId } from "../model/ids.js";
export type { Cancel, Clock } from "../model/clock.js";
export type { DeliveryId, Identity, PromptId, SessionId, ShortId, Token } from "../model/ids.js";
export type { Choice, PromptContent, PromptType, SafetyClass } from "../model/prompt.js";
export type { FormField, FormOption } from "../model/answer/form.js";
export type { ToolState } from "../model/tool-state.js";
export type { Inbound, InboundAnswer } from "./inbound.js";
export type { Pairing, PairingAccount, PairingSecret } from "./pairing.js";

/** Version of this contract; a manifest with another one is refused at registration. */
export const CHANNEL_API = 1;

/** Limits as data; the core degrades by them. Lengths in characters unless the name says bytes. */
export interface ChannelCapabilities {
  readonly tokenBytesMax: number;
  readonly buttonsMax: number;
  /** Whether what was posted can be changed; else an outcome comes as a message of its own. */
  readonly edit: boolean;
  /** Whether people can send words; else only what has a button is answered there, and a card asks for nothing else. */
  readonly freeText: boolean;
  readonly files: boolean;
  /** How often the service may be written to; null only where nothing leaves the machine. */
  readonly pace: Pace | null;
}

/** So many at once, and from then on one in every so many ms. */
export interface Allowance {
  readonly burst: number;
  readonly everyMs: number;
}

/** What a service takes. Whatever people would see counts: a message, a change of one, a file. All allowances hold together. */
export interface Pace {
  readonly place: (place: string) => readonly Allowance[];
  /** All places together. */
  readonly all: readonly Allowance[];
  /** Changes of what was posted, at all places together. */
  readonly edits: readonly Allowance[];
}

export interface ChannelManifest {
  readonly id: string;
  readonly api: number;
  readonly capabilities: ChannelCapabilities;
}

/** A button: what people read, and the opaque token that comes back. */
export interface NoticeButton {
  readonly token: Token;
  readonly choice: Choice;
  /** The value a reply with this button has: `2`, `y`. */
  readonly value: string;
}

/** Where the session runs, in words for people; already redacted and neutralised. */
export interface NoticeSession {
  /** What belongs to one session belongs into one thread or topic, where the service has them. */
  readonly sessionId: SessionId;
  readonly tool: string;
  readonly label: string | null;
  readonly place: string;
  /** It is over: what is said now is the last of it. */
  readonly ended: boolean;
}

/** A neutral message; all text is already redacted and made safe to show (no markup of any channel). */
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
      /** Several choices may be ticked; they are answered as `1,3` or `none`. */
      readonly multi: boolean;
      /** The choices are no rows of the dialog on the screen, and have letters so that nobody takes one for the other. */
      readonly lettered?: boolean;
      /** Several questions at once, answered a line each: the number of an option, `1,3`, `none`, or own words. Null: one question. */
      readonly form: readonly FormField[] | null;
      readonly defaultChoice: number | null;
      readonly buttons: readonly NoticeButton[];
      /** A direct text reply to this notice is an answer (free text, or the text of a choice). */
      readonly acceptsText: boolean;
      /** Names of those who may answer, where the only reader may not: there are no buttons, and words are no answer. Missing: see `buttons`. */
      readonly onlyBy?: readonly string[];
      /** People may ask for the terminal's screen (`look`). */
      readonly screenView: boolean;
      /** Milliseconds since 1970, or null for never. */
      readonly expiresAt: number | null;
      /** The answer that is given at `expiresAt` where nobody gave one, as the card names it; null or missing: none. */
      readonly expiryAnswer?: string | null;
      /** Whose attention it wants: those who may answer here. Services that do not ring by themselves call them by name. */
      readonly addressees: readonly Identity[];
      /** To be posted without ringing. */
      readonly quiet: boolean;
    }
  | {
      readonly kind: "text";
      readonly deliveryId: DeliveryId;
      readonly place: string;
      readonly session: NoticeSession;
      readonly text: string;
      /** Below the text, in a fixed font: a terminal's screen. Null where there is none. */
      readonly block: string | null;
      /** The block as a PNG file, for services that take files; the block itself need not be shown beside it. */
      readonly picture?: Uint8Array;
      readonly addressees: readonly Identity[];
      /** To be posted without ringing. */
      readonly quiet: boolean;
    };

export type PromptNotice = Extract<Notice, { kind: "prompt" }>;

/** What became of a prompt, for every card that showed it. */
export interface Outcome {
  readonly state: "answered" | "uncertain" | "failed" | "withdrawn" | "superseded" | "expired" | "refused";
  /** One line for people: `✅ Yes, by Ara, confirmed`, `answered at the terminal`. */
  readonly text: string;
  /** False after `refused`: the card keeps its buttons (with new tokens) because the question still stands. */
  readonly final: boolean;
  /** What can be pressed from now on: the answers while the card stays open, on a final one what may still be done. */
  readonly buttons?: readonly NoticeButton[];
}

/** Whether a failed call may have had its effect (style: errors know if failure is certain). */
export type Certainty = "not_sent" | "unknown";

/** Thrown by `deliver` and `settle`. `retryAfterMs` when the service said so; `permanent` when no retry can help. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  readonly certainty: Certainty;
  readonly retryAfterMs: number | null;
  readonly permanent: boolean;

  constructor(
    message: string,
    options: { certainty: Certainty; retryAfterMs?: number | null; permanent?: boolean; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.certainty = options.certainty;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.permanent = options.permanent ?? false;
  }
}

/**
 * Where updates go. `store` is durable and idempotent by (channel, key): the channel calls it before it advances its offset or
 * acknowledges the envelope. `handle` is then called by the hub, at least once per stored update, through `Channel.interpret`.
 */
export interface Inbox {
  /** Resolves once the raw update is committed. False when it was already there. */
  store(key: string, raw: unknown): Promise<boolean>;
}

export type ChannelHealth =
  | { readonly state: "starting" | "connected" | "stopped" }
  | { readonly state: "degraded" | "failed"; readonly reason: string; readonly action: string };

/** What is going on, for a page that shows it; safe to show, the oldest first. */
export interface Overview {
  readonly paused: boolean;
  readonly prompts: readonly {
    readonly shortId: ShortId;
    readonly session: NoticeSession;
    readonly question: string;
    /** Milliseconds since 1970. */
    readonly askedAt: number;
  }[];
  /** What to say where `prompts` is empty: what is under way, or may wait unseen. */
  readonly ifNone: string;
  readonly sessions: readonly {
    readonly session: NoticeSession;
    readonly state: ToolState;
    readonly openPrompts: number;
  }[];
}

/** What the hub lends to a channel. */
export interface ChannelHost {
  readonly clock: Clock;
  /** 0..1, for waits that must not be in step with others. */
  random(): number;
  /** The prompt notice of a delivery of this channel as it is now; null once the question is settled. */
  openNotice(deliveryId: string): Extract<Notice, { kind: "prompt" }> | null;
  /** Null for a stranger: who is nobody here learns nothing. */
  overview(identity: Identity): Overview | null;
  /** Durable small values of this channel: the update offset, keyed by bot id. */
  getSetting(key: string): string | null;
  setSetting(key: string, value: string): void;
  /** Something was written to this place, by whatever call: it counts against the channel's pace. */
  wrote(place: string): void;
  /** The connection's state changed; shown in `status`. */
  report(health: ChannelHealth): void;
  /**
   * A configured place takes nothing, with the service's reason and what to do; or (null) it does after all. Known without this:
   * what a `deliver` that failed for good says, and that something came from there.
   */
  reportPlace(place: string, refusal: string | null): void;
  /** Structured log line without tokens or message texts. */
  log(
    level: "debug" | "info" | "warn" | "error",
    message: string,
    fields?: Readonly<Record<string, unknown>>,
  ): void;
  /** To local clients that watch (the terminal channel); nobody else hears it. */
  broadcast(payload: unknown): void;
}

/** An address that a configuration names in the place of the service's own, and what would be sent there. */
export interface ForeignEndpoint {
  readonly address: string;
  readonly secrets: readonly string[];
}

/** A running channel. */
export interface Channel {
  /** Connects; resolves at once. Lost connections are a state (`host.report`), never an exception. */
  start(inbox: Inbox): Promise<void>;
  /** Posts one notice. Errors: DeliveryError. */
  deliver(notice: Notice): Promise<DeliveryRef>;
  /** Shows the outcome on a posted card. Errors: DeliveryError. "Already so" is success. */
  settle(ref: DeliveryRef, notice: Notice, outcome: Outcome): Promise<void>;
  /**
   * Asks the service whether it answers at this moment, and changes nothing there. The hub waits for `limitMs`. Absent where there is no
   * service. Errors: DeliveryError with the reason.
   */
  probe?(limitMs: number): Promise<void>;
  /** Pure: what a stored raw update means, or null when it is nothing for us. */
  interpret(raw: unknown): Inbound | null;
  /** Pure: who sent a raw update, whatever it means; null where nobody can be named. */
  senderOf?(raw: unknown): Identity | null;
  /** Tells the sender of a stored update what became of it (stops the spinner). Never throws. */
  answer(raw: unknown, answer: InboundAnswer): Promise<void>;
  stop(): Promise<void>;
}

/** What `doctor` tells of a channel. Holds no token and no address with one. */
export interface ChannelFinding {
  /** `warn`: it works, or will by itself, but somebody should know. */
  readonly state: "ok" | "warn" | "fail";
  readonly found: string;
  /** What to do; null where nothing is to be done. */
  readonly action: string | null;
}

/** Default export of `channels/<id>/index.ts`. */
export interface ChannelPlugin<Config> {
  readonly manifest: ChannelManifest;
  /** Its part of the configuration file: strict, so that a misspelt key is an error. Stands in `channels/<id>/config.ts`. */
  readonly configSchema: v.GenericSchema<unknown, Config>;
  /** Places (chat ids) that notices go to. Empty: pairing only, nothing else is ever sent. */
  places(config: Config): readonly string[];
  /** Who alone reads what is posted there: a private chat. Null, or absent, where that is not known or there are several. */
  personAt?(place: string): Identity | null;
  /** Errors: AtlasBridgeError ATB_CONFIG_INVALID for what shows only once the secrets are in place. Connects to nothing. */
  create(config: Config, host: ChannelHost): Channel;
  /** Absent where nobody has to be paired. */
  readonly pairing?: Pairing<Config>;
  /**
   * For `doctor` while no hub runs: asks the service whether this channel would work, each question for at most `limitMs`. Changes
   * nothing there and takes no update away. Rejects with bugs only: what the service says, or that it says nothing, is a finding.
   */
  diagnose?(config: Config, clock: Clock, limitMs: number): Promise<ChannelFinding>;
}
