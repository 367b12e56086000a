/** What a `PtyAdapter` under test is made with: real clock and randomness, a terminal of 80×24, and nobody's terminal around it. */
import { asId, type SessionId } from "../../src/model/ids.js";
import { systemClock } from "../../src/observe/clock.js";
import { systemRandom } from "../../src/observe/random.js";
import type { CompiledAdapter } from "../../src/worker/adapter-format/compiled/compiled.js";
import type { PtyAdapterOptions } from "../../src/worker/runtimes/terminal/terminal-session.js";

export const SESSION_ID = asId<SessionId>("s1");

export function ptyOptions(adapter: CompiledAdapter): PtyAdapterOptions {
  return {
    adapter,
    sessionId: SESSION_ID,
    cwd: process.cwd(),
    size: { cols: 80, rows: 24 },
    environment: process.env,
    clock: systemClock,
    random: systemRandom,
    safeText: (text) => text,
    hostAnswers: false,
    stuckTimeoutMs: 2000,
  };
}
