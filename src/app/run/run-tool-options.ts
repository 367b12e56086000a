/** What a run was asked for. */

export interface RunToolOptions {
  readonly command: readonly [tool: string, ...args: string[]];
  readonly label: string | null;
  readonly cwd: string;
  /** Why `cwd` is no name that leads there: the tool inherits our folder; null where it is one. */
  readonly nameless: string | null;
  readonly adapter: string | null;
  readonly relay: boolean;
  /** Rather no tool than one whose questions reach nobody. */
  readonly relayRequired: boolean;
  readonly ask: boolean;
  /** The tool may be joined, or told to call us, where its adapter knows how. */
  readonly hooks: boolean;
  /** The ledger, the configuration and the keys are out of the tool's reach. */
  readonly isolate: boolean;
  readonly quiet: boolean;
}
