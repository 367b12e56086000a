import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { asId, type SessionId } from "../../src/model/ids.js";
import { systemClock } from "../../src/observe/clock.js";
import { systemRandom } from "../../src/observe/random.js";
import { safeText } from "../../src/safety/safe-text.js";
import { AcpAdapter } from "../../src/worker/runtime/acp/acp-adapter.js";
import { describeAdapterContract, type AdapterHarness } from "./adapter-contract.js";

const AGENT = resolve("tests/fixtures/agents/acp-agent.mjs");

function harness(): AdapterHarness {
  const folder = mkdtempSync(join(tmpdir(), "adapter-contract-"));
  const log = join(folder, "told");
  const sessionId = asId<SessionId>(systemRandom.uuid());
  const adapter = new AcpAdapter({
    sessionId,
    tool: "scripted",
    cwd: folder,
    environment: process.env,
    clock: systemClock,
    random: systemRandom,
    redact: safeText,
    version: "1.0.0",
    silenceMs: 60_000,
    resume: null,
    colours: false,
    isAttended: true,
    services: { offers: [], offLimits: [] },
    permissions: { policy: { mode: "ask", allowlist: [] }, record: () => Promise.resolve() },
  });
  return {
    adapter,
    sessionId,
    asks: [process.execPath, AGENT, "asks", log],
    deaf: [process.execPath, AGENT, "deaf"],
    missing: ["no-such-agent-anywhere"],
    told: () => (existsSync(log) ? readFileSync(log, "utf8").replace(/^initialize .*\n/, "") || null : null),
    answerLocally: () => {
      if (adapter.asking) adapter.answerHere(adapter.asking.promptId, "3");
    },
    async dispose() {
      if (await adapter.healthcheck()) await adapter.terminateSession(sessionId);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describeAdapterContract("acp", harness);
