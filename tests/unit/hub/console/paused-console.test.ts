/** A pause that comes between the look at a session's console and the typing wins: nothing goes to the worker. */
import { describe, expect, it } from "vitest";
import { LOCAL_IDENTITY, asId, type SessionId } from "../../../../src/model/ids.js";
import type { WorkerLink } from "../../../../src/wire/connection-ends.js";
import { turns } from "../fake-channel.js";
import { makeRig, sessionParams } from "../rig.js";

const CONSOLE = asId<SessionId>("33333333-3333-4333-8333-333333333333");
const PERSON = { sessionId: null };

async function openConsole() {
  const rig = await makeRig();
  const asked: string[] = [];
  let tell: () => void = () => undefined;
  const link: WorkerLink = {
    call: (method: string) => {
      asked.push(method);
      if (method !== "console.state") return Promise.resolve({});
      const state = { open: true, agents: false, problem: null, status: null };
      return new Promise((resolve) => (tell = () => resolve(state)));
    },
  };
  const capabilities = { chatTurns: false, screenView: true, console: true };
  const params = sessionParams({ sessionId: CONSOLE, tool: "bash", label: "work", capabilities });
  await rig.core.handlers["session.open"](params, PERSON);
  rig.core.connected(CONSOLE, link);
  return { rig, asked, tell: () => tell() };
}

describe("a console while AtlasBridge is being paused", () => {
  it("gets no command and no input that was asked for just before", async () => {
    const { rig, asked, tell } = await openConsole();
    const { handlers } = rig.core;
    const wishes = [
      () =>
        handlers["console.run"](
          { sessionId: CONSOLE, commandId: "c", command: "rm x", timeoutMs: 1 },
          PERSON,
        ),
      () =>
        handlers["console.act"]({ sessionId: CONSOLE, action: "input", input: "y", timeoutMs: 0 }, PERSON),
    ];
    for (const wish of wishes) {
      const wished = Promise.resolve(wish());
      await turns();
      void rig.core.setPaused(true, LOCAL_IDENTITY);
      tell();
      await expect(wished).rejects.toThrow("nothing was typed: AtlasBridge is paused");
      await rig.core.setPaused(false, LOCAL_IDENTITY);
    }
    expect(asked.filter((method) => method !== "session.reach")).toEqual([
      "console.state",
      "answers.halt",
      "console.state",
      "answers.halt",
    ]);
  });
});
