import type { ToolState } from "../../model/tool-state.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { ListParameters } from "../adapter-format/compiled/compiled.js";
import { type Page } from "./layout/layout.js";
import { type FoundList } from "./shapes/list.js";
import type { OwnMenu } from "./shapes/own-menu.js";

export interface Detection {
  readonly candidate: Candidate | null;
  readonly state: ToolState | null;
  /** How long the candidate must stay unchanged before it counts. */
  readonly stableMs: number;
  /** The same for a dialog that the tool was seen to redraw at this height; absent: `stableMs`. */
  readonly correctedMs?: number;
  /** The choices of a menu that is known by its looks alone, for the case that the tool opened it; null: they cannot be read. */
  readonly list?: Candidate | null;
  /** What a menu or an unrecognized screen says of a person who opened it. */
  readonly ownMenu?: OwnMenu | null;
}

/** Reads each list of a page once, however many rules need it. */
export type ListReader = (parameters: ListParameters, page: Page) => FoundList | null;
