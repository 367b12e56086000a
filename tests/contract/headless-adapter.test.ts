import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadAdapter, packagePlace } from "../../src/app/adapters.js";
import { AGENTS, headlessAdapter } from "../support/headless-agent.js";
import { describeAdapterContract, type AdapterHarness } from "./adapter-contract.js";

for (const [tool, agent] of Object.entries(AGENTS)) {
  const compiled = await loadAdapter(tool, packagePlace());
  describeAdapterContract(`headless (${compiled.headless?.talk?.speaks ?? ""})`, () =>
    harness(compiled, agent),
  );
}

function harness(compiled: Awaited<ReturnType<typeof loadAdapter>>, agent: string): AdapterHarness {
  const folder = mkdtempSync(join(tmpdir(), "adapter-contract-"));
  const notes = join(folder, "told");
  const { adapter, sessionId } = headlessAdapter(compiled, folder, {
    environment: { ...process.env, NOTES: notes },
  });
  const as = (mode: string): string[] => ["env", `MODE=${mode}`, process.execPath, agent];
  return {
    adapter,
    sessionId,
    asks: as("asks"),
    deaf: as("deaf"),
    missing: ["no-such-agent-anywhere"],
    told: () =>
      existsSync(notes)
        ? readFileSync(notes, "utf8").replace(/^(?:initialize|thread|initialized\b).*\n/gm, "") || null
        : null,
    answerLocally: () => {
      if (adapter.asking) adapter.answerHere(adapter.asking.promptId, "3");
    },
    async dispose() {
      if (await adapter.healthcheck()) await adapter.terminateSession(sessionId);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
