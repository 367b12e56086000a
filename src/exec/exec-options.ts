import type { AskToRun } from "../plugins/adapters/agreed-files.js";

/** The options of `atlasbridge exec`. */
export interface ExecOptions {
  /** The executable as typed; null: that of the configuration (`exec.tool`). */
  readonly tool: string | null;
  /** The person's task, by which a loop is known again. */
  readonly prompt: string;
  /** What the tool is given as its task: see `tellUntilFile`. */
  readonly task: string;
  readonly context: string | null;
  /** The tool's own session to resume. */
  readonly session: string | null;
  readonly allowTools: readonly string[];
  /** Run without relaying prompts; see `BatchClient`. */
  readonly batch: boolean;
  readonly json: boolean;
  readonly maxIterations: number;
  /** The work is done once this file exists. */
  readonly untilFile: string | null;
  /** ms; null: no limit. */
  readonly timeoutMs: number | null;
  /** Start an unfinished loop anew instead of resuming it. */
  readonly fresh: boolean;
  readonly label: string | null;
  readonly cwd: string;
  readonly relay: boolean;
  readonly relayRequired: boolean;
  readonly quiet: boolean;
  /** Only print what would be started. */
  readonly dryRun: boolean;
  /** Asks before a new adapter file of the user is used. */
  readonly askToRun: AskToRun;
}

/** The same once the tool is known. */
export type ExecToolOptions = ExecOptions & { readonly tool: string };
