/** The adapter contract holds for the headless runtime, in each protocol that `exec` drives. */
import { loadAdapter, getPackagePlace } from "../../../src/plugins/adapters/adapters.js";
import { AGENTS, headlessAdapter } from "../../support/headless-agent.js";
import { describeAdapterContract } from "./adapter-contract.js";
import { PROTOCOL_LACKS, spokenHarness } from "./spoken-harness.js";

for (const [tool, agent] of Object.entries(AGENTS)) {
  const compiled = await loadAdapter(tool, getPackagePlace());
  describeAdapterContract(
    `headless (${compiled.headless?.talk?.speaks ?? ""})`,
    () =>
      spokenHarness({
        make: (folder, notes, clock) =>
          headlessAdapter(compiled, folder, { clock, environment: { ...process.env, NOTES: notes } }),
        command: (mode) => ["env", `MODE=${mode}`, process.execPath, agent],
        beside: /^(?:initialize|thread|session|initialized\b|\{"reply").*\n/gm,
      }),
    PROTOCOL_LACKS,
  );
}
