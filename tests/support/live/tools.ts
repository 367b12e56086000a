/** How a person gets a tool back to an empty composer and a fresh conversation, and which situations fit into one long session. */
import { KEYS } from "../real-cli/terminal.js";
import type { Situation } from "../corpus/situation.js";

export interface LiveTool {
  /** The adapter, and the recorded situations of this tool. */
  readonly name: string;
  /** Command of the tool that begins a new conversation, so that nothing old is on the screen; null: go on in the same one. */
  readonly fresh: string | null;
  /** Keys that empty the composer and do nothing to an empty one. */
  readonly empty: readonly string[];
  /** Situations that end the session, or leave it in another mode. */
  readonly without: readonly string[];
  /** Answered at the keyboard only: more questions follow the first choice. */
  readonly atKeyboard: readonly string[];
}

const CTRL_U = "\u0015";

export const LIVE_TOOLS: Readonly<Record<string, LiveTool>> = {
  claude: {
    name: "claude",
    fresh: "/clear",
    empty: [CTRL_U],
    without: [],
    atKeyboard: ["questions", "plan", "plan-long"],
  },
  codex: {
    name: "codex",
    // Its /new leads to a page of agents.
    fresh: null,
    empty: [CTRL_U],
    without: [],
    atKeyboard: ["questions", "plan", "plan-long"],
  },
  copilot: {
    name: "copilot",
    fresh: "/clear",
    empty: [CTRL_U],
    without: [],
    atKeyboard: [],
  },
  gemini: {
    name: "gemini",
    fresh: "/clear",
    empty: [CTRL_U],
    without: [],
    // A yes to the last one leaves it in a mode in which it changes nothing.
    atKeyboard: ["questions", "plan", "plan-long", "plan-mode"],
  },
  opencode: {
    name: "opencode",
    fresh: "/new",
    empty: [CTRL_U],
    without: [],
    atKeyboard: ["questions", "plan", "plan-long"],
  },
  qwen: {
    name: "qwen",
    fresh: "/clear",
    empty: [CTRL_U],
    without: [],
    atKeyboard: ["questions", "plan", "plan-long"],
  },
};

/** What can be played in a session that is already open. */
export function fitsIn(tool: LiveTool, { name, options, before, sizes }: Situation): boolean {
  const isUsual = options === undefined && before === undefined;
  return isUsual && (sizes?.includes("120x40") ?? true) && !tool.without.includes(name);
}

export const DISMISS = KEYS.esc;
