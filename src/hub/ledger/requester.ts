/** Who requested something of a session, and where. */
import type { Identity, SessionId } from "../../model/ids.js";
import { type ConfiguredChannel } from "../people/routing.js";

export interface Requester {
  readonly identity: Identity;
  readonly configuredChannel: ConfiguredChannel;
  readonly place: string;
  readonly about: SessionId | null;
  /** When the text was sent, by the clock of its service. Missing for taps, and where the service does not say it. */
  readonly sentAt?: number | undefined;
}
