/** What `atlasbridge exec` was asked to do. */
export interface ExecOptions {
  /** The executable as typed. */
  readonly tool: string;
  readonly prompt: string;
  readonly context: string | null;
  /** The tool's own session to go on with. */
  readonly session: string | null;
  readonly allowTools: readonly string[];
  /** It asks nobody; see `OneTask`. */
  readonly batch: boolean;
  readonly json: boolean;
  readonly maxIterations: number;
  /** The work is done once this file is there. */
  readonly untilFile: string | null;
  /** ms; null: as long as it takes. */
  readonly timeoutMs: number | null;
  /** An unfinished loop is begun anew, and not gone on with. */
  readonly fresh: boolean;
  readonly label: string | null;
  readonly cwd: string;
  readonly relay: boolean;
  readonly relayRequired: boolean;
  readonly quiet: boolean;
  /** Only says what would be started. */
  readonly dryRun: boolean;
}
