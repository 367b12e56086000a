/** For an agent that nobody has opened a console to. */
import type { AgentConsoles } from "../../src/worker/integrations/mcp/console-tools.js";

const unavailable = (): Promise<never> => Promise.reject(new Error("this test has no consoles"));

export const NO_CONSOLES: AgentConsoles = {
  list: unavailable,
  findHints: () => Promise.resolve(null),
  run: unavailable,
  act: unavailable,
  findSuccessor: () => null,
  end: () => Promise.resolve(),
  mustAskToStart: unavailable,
  start: unavailable,
};
