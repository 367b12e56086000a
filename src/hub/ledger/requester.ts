/** Who requested something of a session, and where. */
import type { Identity, SessionId } from "../../model/ids.js";
import { type ConfiguredChannel } from "../people/routing.js";

export interface Requester {
  readonly identity: Identity;
  readonly configuredChannel: ConfiguredChannel;
  readonly place: string;
  readonly about: SessionId | null;
  /** When it was written, by the service's clock, if the service may bring it late. */
  readonly sentAt?: number | undefined;
}
