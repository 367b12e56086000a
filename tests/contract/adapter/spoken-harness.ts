/** A runtime that talks to its tool, with our scripted tool for it, as the contract wants them. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../../src/model/clock.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import type { Adapter } from "../../../src/sdk/adapter.js";
import { SkippingClock } from "../../support/skipping-clock.js";
import type { AdapterLacks } from "../../../src/compat/testing/adapter-kit.js";
import type { Made } from "../../support/spoken-session.js";
import type { AdapterHarness } from "./adapter-contract.js";

export interface SpokenHarnessOptions {
  /** The runtime for a tool in `folder`. */
  readonly make: (folder: string, notes: string, clock: Clock) => Made<Adapter & Answered>;
  /** The command of the scripted tool; what it is told stands in `notes`. */
  readonly command: (mode: "asks" | "listens" | "stalls" | "deaf", notes: string) => readonly string[];
  /** Lines of the notes that are no answer. */
  readonly beside: RegExp;
}

/** What the kit does not ask of such a runtime. */
export const PROTOCOL_LACKS: AdapterLacks = {
  newlinePolicy: "an answer over a protocol is a message, and has no line end",
};

interface Answered {
  readonly currentPrompt: PromptEvent | null;
  answerHere(promptId: PromptEvent["promptId"], value: string): unknown;
}

export function spokenHarness({
  make,
  command,
  beside,
}: SpokenHarnessOptions): Omit<AdapterHarness, "adapter"> {
  const folder = mkdtempSync(join(tmpdir(), "adapter-contract-"));
  const notes = join(folder, "told");
  const clock = new SkippingClock();
  const { adapter, sessionId } = make(folder, notes, clock);
  return {
    runtime: adapter,
    sessionId,
    asks: command("asks", notes),
    listens: command("listens", notes),
    stalls: command("stalls", notes),
    deaf: command("deaf", notes),
    missing: ["no-such-agent-anywhere"],
    told: () => (existsSync(notes) ? readFileSync(notes, "utf8").replace(beside, "") || null : null),
    answerLocally: () => {
      if (adapter.currentPrompt) adapter.answerHere(adapter.currentPrompt.promptId, "3");
    },
    skipTime: (ms) => clock.skip(ms),
    async dispose() {
      const { pid, ptyAlive } = await adapter.snapshotContext();
      if (pid !== null && ptyAlive) process.kill(pid, "SIGKILL");
      if (ptyAlive) await adapter.terminateSession(sessionId);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
