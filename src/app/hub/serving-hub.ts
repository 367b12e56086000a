/** The already running hub, as seen by one that has just started. */
import type { Paths } from "../../config/paths.js";
import type { ServingHub } from "../../hub/serve/elect-hub.js";
import { identifyHub, type IdentifiedHub } from "../../client/connect/meet-hub.js";

/** A hub responds in milliseconds; a silent one is not waited for long. */
const YIELD_ANSWER_MS = 2_000;

export function createServingHub(paths: Paths): ServingHub {
  return {
    isRunning: async () => {
      const met = await identifyIfAny(paths);
      met?.hub.close();
      return met !== null;
    },
    askToYield: async ({ version, service }) => {
      const met = await identifyIfAny(paths);
      const asked = met?.hub.call("hub.yield", { version, service }, { timeoutMs: YIELD_ANSWER_MS });
      const answer = await asked?.catch(() => null).finally(() => met?.hub.close());
      return answer?.yields ?? false;
    },
  };
}

/** Null for anything else that listens there: the lock decides who serves, and its holder takes the socket. */
async function identifyIfAny(paths: Paths): Promise<IdentifiedHub | null> {
  return identifyHub({ paths }).catch(() => null);
}
