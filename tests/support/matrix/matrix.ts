/**
 * The table of what real CLIs ask: a tool is a list of dialogs, a dialog a list of choices, a choice has an effect. Every choice is
 * taken from the phone at every size (tests/real/matrix.test.ts). A new tool is a file of such data and a line in `tools.ts`.
 */
import type { Player } from "../corpus/player.js";
import type { Step } from "../fake-model/script.js";
import type { TerminalSize } from "../real-cli/terminal.js";
import type { RealTool, ToolOptions } from "../real-cli/tool.js";
import type { ToolSession } from "./tool-session.js";

export type SizeName = "80x24" | "45x20";
export const SIZES: Readonly<Record<SizeName, TerminalSize>> = {
  "80x24": { cols: 80, rows: 24 },
  "45x20": { cols: 45, rows: 20 },
};
export const SIZE_NAMES: readonly SizeName[] = ["80x24", "45x20"];

/** Settles when the effect was seen, rejects when it was another. */
export type Effect = (session: ToolSession) => void | Promise<void>;

/** The answer to a card without choices. */
export interface Said {
  readonly words: string;
}

export interface MatrixChoice {
  /** How it begins; the first that does is taken. */
  readonly label: string;
  /** Words that go with it: the reason of a denial, an own answer. */
  readonly words?: string;
  /** What is then taken on the cards which follow. */
  readonly then?: readonly (string | Said)[];
  readonly effect: Effect;
  /** No task can be typed afterwards: the tool ended, or shows another page. */
  readonly leaves?: true;
  /** Sizes at which it cannot be taken, and why: printed, never silent. */
  readonly except?: Readonly<Partial<Record<SizeName, string>>>;
}

export interface MatrixDialog {
  readonly name: string;
  readonly options?: ToolOptions;
  /** What the model does when it is told to; absent: the dialog comes up at start. */
  readonly model?: readonly Step[] | ((cwd: string) => readonly Step[]);
  /** What it does as an agent that it started itself, told so by `HELPER`. */
  readonly helper?: readonly Step[];
  /** What the person does first. */
  readonly before?: (player: Player) => Promise<void>;
  readonly question: RegExp;
  readonly choices: readonly MatrixChoice[];
}

export interface MatrixTool {
  readonly tool: RealTool;
  readonly flags?: readonly string[];
  /** To be seen when a task can be typed. */
  readonly composer: RegExp;
  /** For one that puts an interrupted task back into its box: the key that empties it. */
  readonly emptiedBy?: string;
  readonly dialogs: readonly MatrixDialog[];
  /** What is not played, and why. */
  readonly left?: Readonly<Record<string, string>>;
}
