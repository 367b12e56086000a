import { AtlasBridgeError, type ErrorCode } from "../../model/errors.js";
import type { HubState } from "./reach.js";

export function isDisconnected(error: unknown): boolean {
  return hasCode(error, ["ATB_WIRE_LOST", "ATB_HUB_UNREACHABLE"]);
}

export function isUnstored(error: unknown): boolean {
  return hasCode(error, ["ATB_STORE_FAILED"]);
}

/** Waits for the call, and marks the entry if the hub refused it. */
export async function noteRefusal<T>(entry: { atHub: HubState }, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    entry.atHub = isDisconnected(error) ? "unanswered" : "refused";
    throw error;
  }
}

function hasCode(error: unknown, codes: readonly ErrorCode[]): boolean {
  return error instanceof AtlasBridgeError && codes.includes(error.code);
}
