/** What `channel add` needs from a channel: whose credentials these are, and how a person identifies themselves. */
import type { Clock } from "../model/clock.js";

/** The owner of these credentials, and how a person sends the pairing code. */
export interface PairingAccount {
  /** As people know it: `@ara_atlas_bot`. */
  readonly account: string;
  /** What to do with `code`, in one line for the terminal. */
  invite(code: string): string;
  /** A link that sends `code` when opened (letters, digits, `_` and `-`, at most 64), or null if the service has none. */
  link(code: string): string | null;
  /** How to pair a group instead, in one or two lines for the terminal. Absent if `invite` says it all. */
  inviteGroup?(code: string): string;
}

/** A secret that a person enters once at the terminal, without echo. */
export interface PairingSecret {
  /** Key in the channel's part of the configuration. */
  readonly key: string;
  /** Where people find it, in a few words. */
  readonly question: string;
  /** The environment variable that usually holds it. */
  readonly env: string;
}

/** Asks the service whose credentials a configuration holds. */
export interface Pairing<Config> {
  /** Instructions before there are any secrets; printed first, unless all of them are known. */
  readonly preparation?: string;
  /** A page for that, which people may open on their phones. */
  readonly preparationLink?: string;
  readonly secrets: readonly PairingSecret[];
  /**
   * Errors: AtlasBridgeError ATB_PAIRING_FAILED if the service does not accept them, whose hint says what to correct;
   * ATB_CHANNEL_UNREACHABLE if it could not be asked.
   */
  check(config: Config, clock: Clock): Promise<PairingAccount>;
  /** What the service still has after the channel was removed from the configuration, in a sentence or two. */
  readonly afterRemoval?: string;
  /**
   * Posts `text` at the paired place, so that a place that refuses messages shows now and not with the first prompt. Errors:
   * AtlasBridgeError ATB_PAIRING_FAILED, ATB_CHANNEL_UNREACHABLE.
   */
  greet?(config: Config, place: string, text: string, clock: Clock): Promise<void>;
  /** Null for a private chat, and where the service does not say. Never rejects because of the service. */
  describeGroup?(config: Config, place: string, clock: Clock): Promise<GroupFacts | null>;
}

/** What a service tells of a group, for the question whether to pair it. */
export interface GroupFacts {
  readonly title: string;
  /** How many read it, as the service counts them; null: unknown. */
  readonly members: number | null;
}
