/**
 * Whether a session's prompts are held back: no chat gets them and no rule answers them, because the session asked too often. They stay on
 * record, and people answer them as ever. It survives restarts and ends with a person's word or the session.
 */
import { isObject } from "../../model/data/json.js";
import { asId, type DeliveryId } from "../../model/ids.js";
import type { Store } from "./store.js";

export const RELAY_SCOPE = "relay";

export interface RelayState {
  readonly isPaused: boolean;
  /** When it was paused or resumed; earlier prompts do not count any more. */
  readonly since: number;
  readonly notices: readonly DeliveryId[];
}

export function isRelayPaused(store: Store, sessionId: string): boolean {
  return readRelayState(store, sessionId)?.isPaused === true;
}

/** Null: it was never paused. */
export function readRelayState({ settings }: Store, sessionId: string): RelayState | null {
  const parsed = settings.getJson(RELAY_SCOPE, sessionId);
  if (!isObject(parsed)) return null;
  const { isPaused, since, notices } = parsed;
  return {
    isPaused: isPaused === true,
    since: Number(since),
    notices: Array.isArray(notices) ? notices.map((id) => asId<DeliveryId>(String(id))) : [],
  };
}

export function writeRelayState({ settings }: Store, sessionId: string, state: RelayState): void {
  settings.set(RELAY_SCOPE, sessionId, JSON.stringify(state));
}
