/** What an agent is told of its commands: what is known of them, and after a lost hub no more than that. */
import { describe, expect, it } from "vitest";
import { AtlasBridgeError } from "../../../../../src/model/errors.js";
import {
  ConsoleTools,
  type AgentConsoles,
} from "../../../../../src/worker/integrations/mcp/console-tools.js";
import { NO_CONSOLES } from "../../../../support/no-consoles.js";

const LOST = new AtlasBridgeError("ATB_WIRE_LOST", "the other side closed the connection", {});
const SHELL = { consoleId: "id-work", tool: "bash", label: "work", cwd: "/", status: null };
const STATUS = { program: "bash", mode: null, level: null, cwd: null, running: null };
const RESULT = { state: "finished", note: "", text: "42\n", exitCode: 0, cut: 0, outOfBand: "" };
const DONE = { problem: null, result: null, text: null };

function makeTools(over: Partial<AgentConsoles>): ConsoleTools {
  const consoles = { ...NO_CONSOLES, list: () => Promise.resolve([SHELL]), ...over };
  return new ConsoleTools({
    consoles: () => Promise.resolve(consoles),
    permit: () => Promise.resolve("p-1"),
    countStart: () => undefined,
  });
}

const call = (tools: ConsoleTools, name: string, given: object = {}) =>
  tools.call(name, { session: "work", ...given }, new AbortController().signal);

describe("an agent whose hub is lost while its command is under way", () => {
  const run = () => Promise.reject(LOST);

  it("gets what became of the command from the next hub", async () => {
    const act = () => Promise.resolve({ ...DONE, result: RESULT as never });
    const done = call(makeTools({ run, act }), "run_command", { command: "make" });
    expect(await done).toMatchObject({ state: "finished", output: "42\n" });
  });

  it("is told that it is not known whether it was typed where the session knows nothing of it", async () => {
    for (const act of [() => Promise.resolve(DONE), () => Promise.reject(new Error("no such console"))])
      await expect(call(makeTools({ run, act }), "run_command", { command: "make" })).rejects.toThrow(
        "not known whether the command was typed",
      );
  });

  it.each([
    ["send_input", "the line was typed"],
    ["interrupt", "the key was pressed"],
  ])("is told with %s that it is not known whether %s", async (tool, what) => {
    const act = () => Promise.reject(LOST);
    await expect(call(makeTools({ act }), tool, { text: "y" })).rejects.toThrow(`not known whether ${what}`);
  });
});

it("an agent that interrupts is told that the key was sent, and not what it did", async () => {
  const act = () => Promise.resolve(DONE);
  expect(await call(makeTools({ act }), "interrupt")).toEqual({ interrupt_sent: true });
});

it("an agent gets the hints of each program whose file can be read", async () => {
  const other = { ...SHELL, tool: "python3", status: { ...STATUS, program: "python" } };
  const list = () => Promise.resolve([SHELL, other]);
  const findHints = (program: string) => Promise.resolve(program === "python" ? "Python 3" : null);
  const { sessions } = (await call(makeTools({ list, findHints }), "list_sessions")) ?? {};
  expect(sessions).toEqual([
    expect.not.objectContaining({ hints: expect.anything() as unknown }),
    expect.objectContaining({ program: "python", hints: "Python 3" }),
  ]);
});
