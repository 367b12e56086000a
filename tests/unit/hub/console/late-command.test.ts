/** A command that its chat service delivers late, or behind a newer one, is not typed, and its sender is told. */
import { describe, expect, it } from "vitest";
import { asId, type SessionId } from "../../../../src/model/ids.js";
import type { WorkerLink } from "../../../../src/wire/connection-ends.js";
import { makeConsoleResult } from "../../../support/console-result.js";
import { turns } from "../fake-channel.js";
import { makeRig, sessionParams } from "../rig.js";

const CONSOLE = asId<SessionId>("33333333-3333-4333-8333-333333333333");
const MINUTE = 60_000;

async function openConsole() {
  const rig = await makeRig();
  const typed: string[] = [];
  const link: WorkerLink = {
    call: (method: string, params: unknown) => {
      if (method !== "console.run")
        return Promise.resolve({ open: true, problem: null, result: null } as never);
      typed.push((params as { command: string }).command);
      return Promise.resolve(makeConsoleResult({ exitCode: 0 }) as never);
    },
  };
  const capabilities = { chatTurns: false, screenView: true, console: true };
  const params = sessionParams({ sessionId: CONSOLE, tool: "bash", label: "work", capabilities });
  await rig.core.handlers["session.open"](params, { sessionId: null });
  rig.core.connected(CONSOLE, link);
  const say = async (text: string, sentAt?: number): Promise<string> => {
    await rig.chat.text(`$ ${text}`, sentAt === undefined ? {} : { sentAt });
    await turns();
    rig.clock.advance(10_000);
    await turns();
    return JSON.stringify(rig.chat.messages.at(-1)?.notice);
  };
  const codes = (): unknown[] =>
    [...rig.store.audit.readAfter(0)].flatMap(({ step, details }) =>
      step === "console_refused" ? [details] : [],
    );
  return { say, typed, codes, now: () => rig.clock.now() };
}

describe("a command from a chat", () => {
  it("is not typed behind one that was sent later, and is quoted to its sender", async () => {
    const { say, typed, codes, now } = await openConsole();
    const first = now();
    await say("rm -f *", first + 2_000);
    expect(await say("cd sub", first + 1_000)).toContain(
      "⚠️ “cd sub”\\nNothing was typed: it came after a command that was sent later. Send it again if you still want it.",
    );
    await say("ls", first + 2_000);
    expect(typed).toEqual(["rm -f *", "ls"]);
    expect(codes()).toEqual([JSON.stringify({ code: "late" })]);
  });

  it("is not typed more than ten minutes after it was sent", async () => {
    const { say, typed, now } = await openConsole();
    expect(await say("make deploy", now() - 11 * MINUTE)).toContain("it was sent 11 min ago");
    await say("make", now() - 9 * MINUTE);
    expect(typed).toEqual(["make"]);
  });

  it("is typed where the service does not say when it was sent", async () => {
    const { say, typed, now } = await openConsole();
    await say("make", now());
    await say("make check");
    expect(typed).toEqual(["make", "make check"]);
  });
});
