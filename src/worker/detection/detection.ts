/** What the rules found on one picture of the screen. */
import type { ToolState } from "../../model/tool-state.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { ListParameters } from "../adapter-format/compiled/compiled.js";
import { type Page } from "./layout/layout.js";
import { type FoundList } from "./shapes/list.js";

export interface Detection {
  readonly candidate: Candidate | null;
  readonly state: ToolState | null;
  /** How long the candidate must be still before it counts. */
  readonly stableMs: number;
  /** The same for one that the tool was seen to correct at this height; absent: no other. */
  readonly correctedMs?: number;
}

/** Lists are read once a page, however many rules ask for them. */
export type ListReader = (parameters: ListParameters, page: Page) => FoundList | null;
