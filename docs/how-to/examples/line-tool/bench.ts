/** The adapter with tools that the test kit can watch. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AdapterBench } from "atlasbridge/sdk/testing";
import { LineAdapter } from "./adapter.js";

/** Asks one question, notes what it reads, and ends. */
const ASKS = `
  process.stdout.write("Select an option:\\n1) Build\\n2) Test\\n3) Deploy\\nEnter choice [1-3]: ");
  process.stdin.once("data", (line) => {
    require("node:fs").writeFileSync(process.argv[1], line.toString().trim());
    process.stdout.write("ok\\n", () => process.exit(0));
  });`;
/** Asks for a text, notes all that it reads, and reads on. */
const LISTENS = `
  process.stdout.write("What is your name? ");
  process.stdin.on("data", (bytes) => {
    require("node:fs").appendFileSync(process.argv[1], bytes);
    process.stdout.write("ok\\n");
  });`;
/** Asks, and then stands still. */
const STALLS = `
  process.stdout.write("What is your name? ");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
const DEAF = `
  process.on("SIGTERM", () => undefined);
  process.stdout.write("working\\n");
  setInterval(() => undefined, 1000);`;

/** Short, so that the test need not wait. */
const STUCK_SECONDS = 0.2;

export function openBench(adapter: LineAdapter = new LineAdapter(STUCK_SECONDS)): AdapterBench {
  const folder = mkdtempSync(join(tmpdir(), "line-tool-"));
  const notes = join(folder, "told");
  return {
    adapter,
    sessionId: null,
    asks: [process.execPath, "-e", ASKS, notes],
    listens: [process.execPath, "-e", LISTENS, notes],
    stalls: [process.execPath, "-e", STALLS],
    deaf: [process.execPath, "-e", DEAF],
    missing: [join(folder, "no-such-tool")],
    told: () => (existsSync(notes) ? readFileSync(notes, "utf8") : null),
    answerLocally: () => adapter.typeLine("3"),
    async dispose() {
      const { pid, ptyAlive } = await adapter.snapshotContext();
      if (pid !== null && ptyAlive) process.kill(pid, "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
