/** The adapter contract holds for the runtime of the Agent Client Protocol. */
import { resolve } from "node:path";
import { acpAdapter } from "../../support/acp-agent.js";
import { describeAdapterContract } from "./adapter-contract.js";
import { PROTOCOL_LACKS, spokenHarness } from "./spoken-harness.js";

const AGENT = resolve("tests/fixtures/agents/acp-agent.mjs");

describeAdapterContract(
  "acp",
  () =>
    spokenHarness({
      make: (folder, _, clock) => acpAdapter(folder, { clock }),
      command: (mode, notes) => [process.execPath, AGENT, mode, notes],
      beside: /^initialize .*\n/,
    }),
  PROTOCOL_LACKS,
);
