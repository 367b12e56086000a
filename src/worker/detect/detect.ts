/** View and signals in, what is asked and what the tool does out. Pure (design §5). */
import type { Candidate } from "../../sdk/candidate.js";
import type { Signals, View } from "../../sdk/view.js";
import type { ToolState } from "../../model/tool-state.js";
import type { CompiledAdapter, CompiledRule, ListParameters } from "./compiled.js";
import { pageOf, type Page } from "./layout.js";
import { listCandidate } from "./list-candidate.js";
import { findList, type FoundList } from "./shapes/list.js";
import { stateOf } from "./states.js";

export interface Detection {
  readonly candidate: Candidate | null;
  readonly state: ToolState | null;
  /** How long the candidate must be still before it counts. */
  readonly stableMs: number;
}

/** Lists are read once a view, however many rules ask for them. */
export type ListReader = (parameters: ListParameters) => FoundList | null;

export function detect(adapter: CompiledAdapter, view: View, signals: Signals): Detection {
  const page = pageOf(view);
  const lists = listReader(page);
  for (const rule of adapter.rules) {
    const candidate = candidateOf(rule, page, signals, lists);
    if (candidate) return { candidate, state: "waiting", stableMs: rule.stableMs };
  }
  return { candidate: null, state: stateOf(adapter, view, signals), stableMs: 0 };
}

function candidateOf(rule: CompiledRule, page: Page, _signals: Signals, lists: ListReader): Candidate | null {
  switch (rule.shape) {
    case "list":
    case "check_list":
      return listCandidate(rule, page, lists);
  }
}

function listReader(page: Page): ListReader {
  const read = new Map<string, FoundList | null>();
  return (parameters) => {
    const key = JSON.stringify(parameters);
    if (!read.has(key)) read.set(key, findList(page, parameters));
    return read.get(key) ?? null;
  };
}
