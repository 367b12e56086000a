/** What a failed call to the hub means for who made it. */
import { AtlasBridgeError, type ErrorCode } from "../../model/errors.js";
import type { HubState } from "./unreached.js";

/** The connection is gone: the next one begins again. */
export function isDisconnected(error: unknown): boolean {
  return isCode(error, ["ATB_WIRE_LOST", "ATB_HUB_UNREACHABLE"]);
}

/** The hub heard it, and could not write it down. */
export function isUnstored(error: unknown): boolean {
  return isCode(error, ["ATB_STORE_FAILED"]);
}

/** The same call; that the hub heard it and did not take it is noted. */
export async function noteRefusal<T>(entry: { atHub: HubState }, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    entry.atHub = isDisconnected(error) ? "unanswered" : "refused";
    throw error;
  }
}

function isCode(error: unknown, codes: readonly ErrorCode[]): boolean {
  return error instanceof AtlasBridgeError && codes.includes(error.code);
}
