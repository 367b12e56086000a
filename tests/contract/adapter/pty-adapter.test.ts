/** The adapter contract holds for the runtime that drives a tool in a terminal. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadAdapter } from "../../../src/plugins/adapters/adapters.js";
import { asId, type SessionId } from "../../../src/model/ids.js";
import { systemRandom } from "../../../src/observe/random.js";
import { sanitizeText } from "../../../src/safety/safe-text.js";
import { PtyAdapter } from "../../../src/worker/runtimes/terminal/pty-adapter.js";
import { SkippingClock } from "../../support/skipping-clock.js";
import { describeAdapterContract, type AdapterHarness } from "./adapter-contract.js";

const LIST_TOOL = resolve("tests/fixtures/agents/asks-one-of-three.mjs");
const demoAgent = await loadAdapter("demo-agent", { adaptersDir: tmpdir() });

function harness(): Omit<AdapterHarness, "adapter"> {
  const folder = mkdtempSync(join(tmpdir(), "adapter-contract-"));
  const log = join(folder, "told");
  const sessionId = asId<SessionId>(systemRandom.uuid());
  const clock = new SkippingClock();
  const adapter = new PtyAdapter({
    adapter: demoAgent,
    sessionId,
    cwd: folder,
    size: { cols: 100, rows: 30 },
    environment: process.env,
    clock,
    random: systemRandom,
    safeText: sanitizeText,
    hostAnswers: false,
    stuckTimeoutMs: 200,
  });
  return {
    runtime: adapter,
    sessionId,
    asks: [process.execPath, LIST_TOOL, log],
    listens: [process.execPath, resolve("tests/fixtures/agents/asks-for-a-line.mjs"), log],
    stalls: [process.execPath, LIST_TOOL],
    deaf: ["sh", "-c", "trap '' TERM HUP; echo up; while echo . > /dev/null; do sleep 0.1; done"],
    missing: ["no-such-tool-anywhere"],
    told: () => (existsSync(log) ? readFileSync(log, "utf8") : null),
    answerLocally: () => adapter.session.typeKeys(Buffer.from("3"), true),
    skipTime: (ms) => clock.skip(ms),
    async dispose() {
      if ((await adapter.snapshotContext()).ptyAlive) adapter.session.terminal.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describeAdapterContract("pty", harness);
