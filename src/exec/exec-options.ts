import type { AskToRun } from "../plugins/adapters/agreed-files.js";

export interface ExecOptions {
  /** Null: the configuration's (`exec.tool`). */
  readonly tool: string | null;
  /** As typed; it identifies a loop. */
  readonly prompt: string;
  /** As given to the tool; see `tellUntilFile`. */
  readonly task: string;
  readonly context: string | null;
  readonly session: string | null;
  readonly allowTools: readonly string[];
  readonly batch: boolean;
  readonly json: boolean;
  readonly maxIterations: number;
  readonly untilFile: string | null;
  /** ms; null: no limit. */
  readonly timeoutMs: number | null;
  readonly fresh: boolean;
  readonly label: string | null;
  readonly cwd: string;
  readonly relay: boolean;
  readonly relayRequired: boolean;
  readonly quiet: boolean;
  readonly dryRun: boolean;
  readonly askToRun: AskToRun;
}

export type ExecToolOptions = ExecOptions & { readonly tool: string };
