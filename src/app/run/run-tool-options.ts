import type { AskToRun } from "../../plugins/adapters/agreed-files.js";

export interface RunToolOptions {
  readonly command: readonly [tool: string, ...args: string[]];
  readonly label: string | null;
  readonly cwd: string;
  /** Why `cwd` cannot be reached by name, so that the tool inherits our folder; null if it can. */
  readonly nameless: string | null;
  readonly adapter: string | null;
  readonly relay: boolean;
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
  /** The tool is ended if it shows no output within this time in ms; null: no limit. */
  readonly startWithinMs: number | null;
  readonly quiet: boolean;
  readonly askToRun: AskToRun;
}
