/** Reports a problem in an adapter file, with a suggestion. */
import { AtlasBridgeError, type ErrorCode } from "../../model/errors.js";

export const ADAPTER_INVALID: ErrorCode = "ATB_ADAPTER_INVALID";

export function createAdapterError(message: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError(ADAPTER_INVALID, message, { hint });
}
