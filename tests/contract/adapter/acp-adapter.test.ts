/** The adapter contract holds for the runtime of the Agent Client Protocol. */
import { resolve } from "node:path";
import { acpAdapter } from "../../support/acp-agent.js";
import { describeAdapterContract } from "./adapter-contract.js";
import { spokenHarness } from "./spoken-harness.js";

const AGENT = resolve("tests/fixtures/agents/acp-agent.mjs");

describeAdapterContract("acp", () =>
  spokenHarness({
    make: (folder) => acpAdapter(folder),
    command: (mode, notes) => [process.execPath, AGENT, mode, notes],
    beside: /^initialize .*\n/,
  }),
);
