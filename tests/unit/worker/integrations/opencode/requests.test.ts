/** A request of a server of sessions is raised once, with the details of its call, and not at all when another client has answered it. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import type { PendingRequest, RequestResult } from "../../../../../src/worker/prompts/pending-request.js";
import { describeWithdrawal } from "../../../../../src/hub/delivery/notices/outcome-text.js";
import { ServerRequests } from "../../../../../src/worker/integrations/opencode/requests.js";
import type { EventListener } from "../../../../../src/worker/loopback/loopback-client.js";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Asked {
  readonly asking: PendingRequest;
  readonly give: (result: RequestResult) => void;
  isTakenBack: boolean;
  /** Why it was taken back. */
  reason?: unknown;
}

/** Requests of a server before a pendingRequests that keeps what it is asked, and a server that takes everything. */
function requests(status = 200) {
  const clock = new ManualClock();
  const asked: Asked[] = [];
  const foreign: string[] = [];
  const posted: unknown[] = [];
  const problems: string[] = [];
  let listener: EventListener | null = null;
  const { client } = new ServerRequests({
    pendingRequests: {
      open: (asking, signal) =>
        new Promise((give) => {
          const one: Asked = { asking, give, isTakenBack: false };
          asked.push(one);
          signal.addEventListener("abort", () => {
            one.isTakenBack = true;
            one.reason = signal.reason;
            give(asking.cancelled);
          });
        }),
    },
    clock,
    cwd: "/srv",
    http: {
      request: (_, path, body) => {
        posted.push([path, body]);
        return Promise.resolve({ status, body: true });
      },
      openEvents: (_, given) => {
        listener = given;
        return Promise.resolve();
      },
      close: () => undefined,
    },
    onEvent: () => undefined,
    onTooDeep: () => undefined,
    onTooLong: () => undefined,
    onEnd: () => undefined,
    onForeign: (what) => foreign.push(what),
    onProblem: (problem) => problems.push(problem),
  });
  void client.listen();
  const made = {
    onEvent: (type: string, properties: object): void => listener?.onEvent({ type, properties }),
  };
  return { made, clock, asked, foreign, posted, problems };
}

const permission = (command: string, id = "per_1") => ({
  id,
  sessionID: "ses_1",
  permission: "bash",
  patterns: [command],
  metadata: { command },
  always: [],
  tool: { callID: "call_1" },
});
const running = (command: string) => ({
  part: { type: "tool", callID: "call_1", state: { status: "running", input: { command } } },
});

describe("a request of a server of sessions", () => {
  it("waits a short time for the details of its call", async () => {
    const { made, clock, asked } = requests();
    made.onEvent("permission.asked", permission("ls"));
    await turn();
    expect(asked).toEqual([]);
    made.onEvent("message.part.updated", running("ls"));
    await turn();
    expect(asked).toHaveLength(1);
    made.onEvent("permission.asked", { ...permission("pwd", "per_2"), tool: { callID: "call_2" } });
    clock.advance(2000);
    await turn();
    expect(asked).toHaveLength(2);
  });

  it("that another client answers before its details have come is not raised", async () => {
    const { made, clock, asked, foreign, posted } = requests();
    made.onEvent("permission.asked", permission("ls"));
    made.onEvent("permission.replied", { sessionID: "ses_1", requestID: "per_1", reply: "once" });
    clock.advance(2000);
    await turn();
    expect(foreign).toEqual(["it wanted to do"]);
    expect(asked).toEqual([]);
    expect(posted).toEqual([]);
  });

  it.each([
    ["a Yes for good that covers it", { reply: "always" }, "always", true],
    ["a No that takes all with it", { reply: "reject" }, "reject", true],
    ["a Yes for good, if something else is told of it", { reply: "always" }, "once", false],
    ["a Yes", { reply: "once" }, "once", false],
  ])("may be over by an answer of ours to another one: %s", async (_, body, told, isOurs) => {
    const { made, asked, foreign } = requests();
    made.onEvent("message.part.updated", running("ls"));
    made.onEvent("permission.asked", permission("ls"));
    made.onEvent("permission.asked", permission("pwd", "per_2"));
    await turn();
    asked[0]?.give({ at: "reply", body });
    await turn();
    made.onEvent("permission.replied", { sessionID: "ses_1", requestID: "per_1", ...body });
    made.onEvent("permission.replied", { sessionID: "ses_1", requestID: "per_2", reply: told });
    expect(foreign).toEqual(isOurs ? [] : ["it wanted to do"]);
    expect(asked[1]?.isTakenBack).toBe(true);
    // What is asked later is nothing that it settled.
    made.onEvent("permission.asked", permission("date", "per_3"));
    await turn();
    made.onEvent("permission.replied", { sessionID: "ses_1", requestID: "per_3", reply: told });
    expect(foreign).toHaveLength(isOurs ? 1 : 2);
  });

  it("is raised once, however often it is sent", async () => {
    const { made, asked } = requests();
    made.onEvent("message.part.updated", running("ls"));
    made.onEvent("permission.asked", permission("ls"));
    made.onEvent("permission.asked", permission("ls"));
    await turn();
    expect(asked).toHaveLength(1);
  });

  it("is refused where two differ and have one id, as a yes to one would count for the other", async () => {
    const { made, asked, posted } = requests();
    made.onEvent("message.part.updated", running("ls"));
    made.onEvent("permission.asked", permission("ls"));
    await turn();
    made.onEvent("permission.asked", permission("rm -rf /"));
    await turn();
    expect(asked.map(({ isTakenBack }) => isTakenBack)).toEqual([true]);
    expect(posted).toEqual([["/permission/per_1/reply?directory=%2Fsrv", { reply: "reject" }]]);
  });

  it.each([
    [200, []],
    [404, ["(the tool did not take the refusal)"]],
  ])(
    "of which two have one id ends as refused by us, not as withdrawn by the tool (%s)",
    async (status, more) => {
      const { made, asked, problems } = requests(status);
      made.onEvent("message.part.updated", running("ls"));
      made.onEvent("permission.asked", permission("ls"));
      await turn();
      made.onEvent("permission.asked", permission("rm -rf /"));
      await turn();
      expect(asked.map(({ reason }) => reason)).toEqual(["same_id"]);
      expect(problems).toEqual(["(it asked for two things under one id: both refused)", ...more]);
      expect(describeWithdrawal("same_id")).toBe(
        "⛔ Refused by AtlasBridge: the tool asked twice under one id, so an answer could have counted for either",
      );
    },
  );
});
