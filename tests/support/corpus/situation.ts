/** One situation of a tool, and how it comes about. The corpus is recorded from these; what a person sees in it stands in its scenario file. */
import type { Step } from "../fake-model/script.js";
import type { ToolOptions } from "../real-cli/tool.js";
import type { Player } from "./player.js";

export type Size = "120x40" | "80x24" | "45x20";
export const SIZES: readonly Size[] = ["120x40", "80x24", "45x20"];

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
}
