/** Where an adapter comes from, in a few words. */
import type { AdapterOrigin } from "../../plugins/adapters/adapters.js";

export function formatOrigin(origin: AdapterOrigin): string {
  switch (origin.kind) {
    case "own":
      return "yours";
    case "package":
      return "the package's";
    case "bundle":
      return `bundle ${origin.name} ${origin.version} by ${origin.signer}`;
  }
}
