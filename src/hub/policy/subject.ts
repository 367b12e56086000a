/** The input of a rule: a prompt, its session, and facts about the machine. */
import type { PromptEvent } from "../../model/prompt.js";

export interface PolicySession {
  readonly tool: string;
  readonly label: string | null;
  readonly cwd: string;
}

export interface PolicySubject {
  readonly event: PromptEvent;
  readonly session: PolicySession;
  /** ms since 1970; rules on the time of day read it in local time. */
  readonly now: number;
}

/** Everything outside the prompt that a decision depends on. */
export interface PolicyWorld {
  readonly home: string;
  /** Follows symbolic links as far as the path exists, and `..` as the system does. The path is absolute. */
  readonly resolveLinks: (path: string) => string;
  /** AtlasBridge's files and directories, as named and resolved: a person must answer whatever touches them. */
  readonly ownPaths: readonly string[];
}
