/** A request of opencode's server and a dialog of the real opencode, at every size, are one prompt only where they agree. */
import { describe, expect, it } from "vitest";
import type { PendingRequest } from "../../../../../src/worker/prompts/pending-request.js";
import {
  FOLLOW_UP_RULES,
  createAttachedRequest,
} from "../../../../../src/worker/integrations/opencode/attachment-request.js";
import { deceptiveScript, longCommand, REMOVE } from "../../../../support/corpus/shared/commands.js";
import { replayDialog } from "../../prompts/recorded-dialogs.js";
import { shippedAdapter } from "../../detection/screens.js";

const SIZES = ["120x40", "80x24", "45x20"];
const CWD = "/home/dev/proj";
const { coattach } = shippedAdapter("opencode");

function permission(name: string, metadata: object, always: readonly string[] = ["*"]): PendingRequest {
  const request = { id: "per_1", permission: name, patterns: ["*"], metadata, always };
  return asked({ type: "permission.asked", request, input: null });
}

function asked(request: Parameters<typeof createAttachedRequest>[0]): PendingRequest {
  if (coattach?.speaks !== "session_server") throw new Error("opencode cannot be joined");
  const ask = createAttachedRequest(request, CWD, coattach.drawn);
  if (!ask) throw new Error("it asks nothing");
  return ask;
}

const command = (text: string): PendingRequest => permission("bash", { command: text }, ["rm *"]);
const question = asked({
  type: "question.asked",
  request: { id: "que_1", questions: [{ question: "Which?", header: "W", options: [{ label: "a" }] }] },
  input: null,
});

const SCRIPT = deceptiveScript(["△ Permission required", "Allow once   Allow always   Reject"]);
const OTHER = command("rm -rf dist");
const EDIT = permission("edit", { filepath: `${CWD}/app.py`, diff: "-a\n+b" });
const ASKED: readonly [recording: string, its: PendingRequest, others: PendingRequest][] = [
  ["bash", command(REMOVE), OTHER],
  ["bash-moved", command(REMOVE), OTHER],
  ["bash-long", command(longCommand(undefined, " ./node_modules")), command(longCommand("say nothing"))],
  ["bash-script", command(SCRIPT), command("echo hello")],
  ["always", command(REMOVE), question],
  ["edit", EDIT, OTHER],
  ["write", EDIT, question],
  ["fetch", permission("webfetch", { url: "https://example.org" }), OTHER],
  ["outside", permission("external_directory", { filepath: "/etc/hosts" }), OTHER],
  ["task", permission("task", { description: "Look around" }), question],
  ["choose", question, EDIT],
  ["features", question, command(REMOVE)],
];

describe("a request of a server of sessions", () => {
  it.each(
    ASKED.flatMap(([name, its, others]) => SIZES.map((size) => [`${name}-${size}`, its, others] as const)),
  )("and its dialog are one question, and another's is not: %s", async (recording, its, others) => {
    const dialog = await replayDialog(`${recording}-1.18.33`, "opencode");
    expect([its.matchesDialog?.(dialog), others.matchesDialog?.(dialog)]).toEqual([true, false]);
  });

  it("leads to dialogs whose rules stand in the adapter file", () => {
    const names = shippedAdapter("opencode").rules.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...FOLLOW_UP_RULES]));
  });

  it("without details of its call is left to its dialog", () => {
    const request = { id: "per_1", permission: "bash", patterns: ["*"], metadata: {}, always: ["*"] };
    if (coattach?.speaks !== "session_server") throw new Error("opencode cannot be joined");
    const told = (input: object | null) =>
      createAttachedRequest(
        { type: "permission.asked", request, input: input as never },
        CWD,
        coattach.drawn,
      );
    expect(told(null)).toBeNull();
    expect(told({ command: "ls" })).not.toBeNull();
  });

  it("is answered with what its own ids and words say, and a plain No has no row in its dialog", () => {
    const ask = command(REMOVE);
    const { choices, safetyClass } = ask.prompt;
    expect(safetyClass).toBe("permission");
    expect(choices.map(({ label }) => label)).toEqual([
      "Yes",
      "Yes, and don't ask again for bash rm * until the tool is restarted",
      "No",
      "No, and stop the turn",
    ]);
    const decided = (value: string, text?: string): unknown => {
      const made = ask.answer({ value, ...(text !== undefined && { text }) });
      return "result" in made ? made.result : null;
    };
    expect(decided("1")).toEqual({ at: "reply", body: { reply: "once" } });
    expect(decided("2")).toEqual({ at: "reply", body: { reply: "always" } });
    expect(decided("3", "use make clean")).toEqual({
      at: "reply",
      body: { reply: "reject", message: "use make clean" },
    });
    expect(decided("4")).toEqual({ at: "reply", body: { reply: "reject" } });
    expect(decided("5")).toBeNull();
    expect([ask.undrawnChoices, question.undrawnChoices ?? []]).toEqual([[3], []]);
  });
});
