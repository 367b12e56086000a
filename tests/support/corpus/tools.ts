/** The tools whose corpus can be recorded. */
import type { RealTool } from "../real-cli/tool.js";
import type { Situation } from "./situation.js";

export interface Recordable {
  readonly tool: RealTool;
  readonly situations: readonly Situation[];
}

export const TOOLS: Readonly<Record<string, () => Promise<Recordable>>> = {
  codex: async () => {
    const { codex } = await import("../real-cli/codex.js");
    const { situations } = await import("./codex/index.js");
    return { tool: codex, situations };
  },
};
