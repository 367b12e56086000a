/** A request that breaks the order of things; the asker learns why and does nothing. */
import { AtlasBridgeError } from "../../model/errors.js";

export function hubRefused(problem: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_HUB_REFUSED", problem, {
    hint: "If this goes on, stop the hub (`atlasbridge hub stop`) and look into its log.",
  });
}
