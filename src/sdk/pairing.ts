/** The power that `channel add` needs of a channel: whose credentials are these, and how does a person make herself known. */
import type { Clock } from "../model/clock.js";

/** Whose credentials these are, and how a person sends the pairing code. */
export interface PairingAccount {
  /** As people know it: `@ara_atlas_bot`. */
  readonly account: string;
  /** What to do with `code`, in one line for the terminal. */
  invite(code: string): string;
  /** A link that sends `code` when it is opened (letters, digits, `_` and `-`, at most 64), or null where the service has none. */
  link(code: string): string | null;
}

/** A secret that a person gives once, at the terminal, without echo. */
export interface PairingSecret {
  /** Key in the channel's part of the configuration. */
  readonly key: string;
  /** Where people get it, in a few words. */
  readonly question: string;
  /** Environment variable that holds it where people keep such things there. */
  readonly env: string;
}

/** Asks the service whose credentials a configuration holds. */
export interface Pairing<Config> {
  /** What to do before there are any secrets: printed first, unless all of them are known. */
  readonly preparation?: string;
  readonly secrets: readonly PairingSecret[];
  /** Errors: AtlasBridgeError ATB_PAIRING_FAILED, whose hint says what to correct. */
  check(config: Config, clock: Clock): Promise<PairingAccount>;
  /**
   * Says hello at the place that was paired, so that one that cannot be written to shows now and not with the first question.
   * Errors: AtlasBridgeError ATB_PAIRING_FAILED.
   */
  greet?(config: Config, place: string, clock: Clock): Promise<void>;
}
