/** One situation of a tool: how it comes about, and what a person sees in it. The corpus is recorded from these. */
import type { PromptType } from "../../../src/model/prompt.js";
import type { Step } from "../fake-anthropic/script.js";
import type { ToolOptions } from "../real-cli/tool.js";
import type { Player } from "./player.js";

export type Size = "120x40" | "80x24" | "45x20";
export const SIZES: readonly Size[] = ["120x40", "80x24", "45x20"];

/** Written from looking at the picture, never from what detection says. See the fields `expected_…` of a scenario. */
export interface Label {
  readonly type: PromptType | null;
  readonly band?: "HIGH" | "MED" | "LOW";
  readonly excerpt?: string;
  readonly choices?: readonly string[];
  /** 1-based; null: no row is highlighted. */
  readonly byDefault?: number | null;
  readonly content?: readonly string[];
  readonly state?: "waiting" | "working" | "idle";
  /** How many questions a person counts in the whole recording. */
  readonly count: number;
  readonly replies?: readonly LabelledReply[];
}

export interface LabelledReply {
  readonly value: string;
  readonly text?: string;
  /** One entry a write; none: it must be refused. */
  readonly keys: readonly string[];
}

export interface Situation<Options extends ToolOptions = ToolOptions> {
  /** Also the file's name; the same at every size and of every version. */
  readonly name: string;
  readonly description: string;
  readonly options?: Options;
  /** What the model says once the person mentioned `[[name]]`, a step for each of its turns. */
  readonly model?: readonly Step[] | ((cwd: string) => readonly Step[]);
  /** What it says to `[[name-helper]]`: as an agent that it started itself. */
  readonly helper?: readonly Step[];
  readonly sizes?: readonly Size[];
  /** An earlier session in the same folder, not recorded. */
  readonly before?: { readonly options?: Options; play(player: Player): Promise<void> };
  play(player: Player): Promise<void>;
  /** Absent: the recording goes on while the tool works; true: wait until nothing moves any more. */
  readonly settles?: boolean;
  readonly label: Label | ((size: Size) => Label);
}
