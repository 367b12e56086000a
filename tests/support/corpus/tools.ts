/** The tools whose corpus can be recorded. */
import type { RealTool } from "../real-cli/tool.js";
import type { Situation } from "./situation.js";

export interface Recordable {
  readonly tool: RealTool;
  readonly situations: readonly Situation[];
}

export const TOOLS: Readonly<Record<string, () => Promise<Recordable>>> = {
  cline: async () => {
    const { cline } = await import("../real-cli/cline.js");
    const { situations } = await import("./cline/index.js");
    return { tool: cline, situations };
  },
  copilot: async () => {
    const { copilot } = await import("../real-cli/copilot.js");
    const { situations } = await import("./copilot/index.js");
    return { tool: copilot, situations };
  },
  codex: async () => {
    const { codex } = await import("../real-cli/codex.js");
    const { situations } = await import("./codex/index.js");
    return { tool: codex, situations };
  },
  gemini: async () => {
    const { gemini } = await import("../real-cli/gemini.js");
    const { situations } = await import("./gemini/index.js");
    return { tool: gemini, situations };
  },
  kilo: async () => {
    const { kilo } = await import("../real-cli/kilo.js");
    const { situations } = await import("./kilo/index.js");
    return { tool: kilo, situations };
  },
  opencode: async () => {
    const { opencode } = await import("../real-cli/opencode.js");
    const { situations } = await import("./opencode/index.js");
    return { tool: opencode, situations };
  },
  pi: async () => {
    const { pi } = await import("../real-cli/pi.js");
    const { situations } = await import("./pi/index.js");
    return { tool: pi, situations };
  },
  qwen: async () => {
    const { qwen } = await import("../real-cli/qwen.js");
    const { situations } = await import("./qwen/index.js");
    return { tool: qwen, situations };
  },
};
