/** What a failed call to the hub means for who made it. */
import { AtlasBridgeError, type ErrorCode } from "../../model/errors.js";

/** The connection is gone: the next one begins again. */
export function isLost(error: unknown): boolean {
  return isCode(error, ["ATB_WIRE_LOST", "ATB_HUB_UNREACHABLE"]);
}

/** The hub heard it, and could not write it down. */
export function isUnstored(error: unknown): boolean {
  return isCode(error, ["ATB_STORE_FAILED"]);
}

function isCode(error: unknown, codes: readonly ErrorCode[]): boolean {
  return error instanceof AtlasBridgeError && codes.includes(error.code);
}
