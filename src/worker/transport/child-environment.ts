/** The environment of a supervised tool: the user's own, without anything of ours but one mark. */
import type { SessionId } from "../../model/ids.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The one variable of ours that a tool sees. It is no secret: it only says "this process is supervised". */
export const SESSION_MARK = "ATLASBRIDGE_SESSION";
/** What we emulate; only set where the user's environment says nothing. */
const DEFAULT_TERM = "xterm-256color";

export function childEnvironment(environment: Environment, sessionId: SessionId): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("ATLASBRIDGE_"),
  );
  return { TERM: DEFAULT_TERM, ...Object.fromEntries(kept), [SESSION_MARK]: sessionId };
}
