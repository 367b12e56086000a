/** The options of a run. */

export interface RunToolOptions {
  readonly command: readonly [tool: string, ...args: string[]];
  readonly label: string | null;
  readonly cwd: string;
  /** Why `cwd` cannot be reached by name, so that the tool inherits our folder; null if it can. */
  readonly nameless: string | null;
  readonly adapter: string | null;
  readonly relay: boolean;
  /** Do not start the tool if its prompts would reach nobody. */
  readonly relayRequired: boolean;
  readonly ask: boolean;
  /** The tool may be attached to, or configured to call us, if its adapter supports that. */
  readonly hooks: boolean;
  /** The ledger, the configuration and the keys are closed to the tool. */
  readonly isolate: boolean;
  readonly quiet: boolean;
}
