import type { AskToRun } from "../../plugins/adapters/agreed-files.js";

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
  /** Commands from outside may be typed into it; `agents`: theirs, too. */
  readonly console: boolean | "agents";
  /** The inherited descriptor that gets the events of the session; null: none. */
  readonly events: number | null;
  /** It is ended if it has shown nothing by then, in ms; null: it has all the time. */
  readonly startWithinMs: number | null;
  readonly quiet: boolean;
  /** Asks before a new adapter file of the user is used. */
  readonly askToRun: AskToRun;
}
