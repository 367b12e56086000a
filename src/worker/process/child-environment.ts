/** Builds the environment of a supervised tool: the user's own, with only one mark and the home of AtlasBridge added. */
import { resolve } from "node:path";
import type { SessionId } from "../../model/ids.js";
import { SESSION_MARK } from "../../model/session-mark.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where our files are; not a secret. Without it a `run` in the tool's shell would start a second hub beside the session's own. */
const HOME = "ATLASBRIDGE_HOME";
/** The terminal that we emulate; only set where the user's environment has no value. */
const DEFAULT_TERM = "xterm-256color";

export function createChildEnvironment(
  environment: Environment,
  sessionId: SessionId,
): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("ATLASBRIDGE_"),
  );
  // Absolute, because the tool may run in another directory than we do.
  const home = environment[HOME] ? { [HOME]: resolve(environment[HOME]) } : {};
  return { TERM: DEFAULT_TERM, ...Object.fromEntries(kept), ...home, [SESSION_MARK]: sessionId };
}
