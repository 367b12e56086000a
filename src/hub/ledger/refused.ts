/** The error for a request that does not fit the current state. The caller learns why; nothing happens. */
import { AtlasBridgeError } from "../../model/errors.js";

export function createRefusal(problem: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_HUB_REFUSED", problem, {
    hint: "If this goes on, stop the hub (`atlasbridge hub stop`) and check its log.",
  });
}
