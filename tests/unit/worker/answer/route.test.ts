/**
 * An answer to a card of a tool's call goes to that call and is never a key. An answer to a card of the screen goes to the
 * dialog, or to a call that agrees with it.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseRoute, type RoutingState } from "../../../../src/worker/answer/route.js";
import { createHookRequest } from "../../../../src/worker/integrations/hooks/hook-request.js";
import type { PendingRequest } from "../../../../src/worker/prompts/pending-request.js";
import { readToolCall } from "../../../../src/worker/prompts/tool-call-request.js";
import { shippedAdapter } from "../detection/screens.js";
import { makeCandidate, makeChoices } from "./make.js";

const { hooks } = shippedAdapter("claude");

function ask(tool: string, input: object, suggestions: readonly object[] = []): PendingRequest {
  const body = { tool_name: tool, tool_input: input, permission_suggestions: suggestions };
  const asked = hooks && readToolCall(hooks, "PermissionRequest", body);
  if (!asked) throw new Error("nothing is asked");
  return createHookRequest(asked);
}

const remember = (ruleContent: string) => ({
  type: "addRules",
  rules: [{ toolName: "Bash", ruleContent }],
  behavior: "allow",
  destination: "localSettings",
});

const call = ask("Bash", { command: "rm -rf build" }, [remember("rm:*")]);
const dialog = makeCandidate({
  choices: makeChoices(
    { label: "Yes", intent: "allow_once" },
    { label: "Yes, and don't ask again for rm *", intent: "allow_always" },
    { label: "Yes, and switch to auto mode", intent: "allow_always" },
    { label: "No", intent: "reject_once" },
  ),
});

/** `hook allow`, `hook deny`, `keys`, or the code of the refusal. */
function way(sources: RoutingState, value: string, text?: string): string {
  const routed = chooseRoute(sources, { value, ...(text !== undefined && { text }) });
  if (!("by" in routed)) return routed.code;
  if (routed.by === "keys") return "keys";
  const { hookSpecificOutput } = routed.result as {
    hookSpecificOutput: { decision: { behavior: string } };
  };
  return `hook ${hookSpecificOutput.decision.behavior}`;
}

describe("the way of an answer to a card that a call made", () => {
  const stampedBy = "request";

  it.each([
    ["while the tool waits for the call: there", { dialog, request: call }, "1", "hook allow"],
    ["whether its dialog is drawn or not", { dialog: null, request: call }, "3", "hook deny"],
    [
      "nowhere once the call is gone: no row is known to do the same",
      { dialog, request: null },
      "1",
      "withdrawn",
    ],
    ["nowhere for a choice that it never had", { dialog, request: call }, "9", "option_unknown"],
  ])("%s", (_, sources, value, expected) => {
    expect(way({ stampedBy, ...sources }, value)).toBe(expected);
  });

  it("is never a key, whatever is drawn: a forged call's harmless words cannot approve a dialog", () => {
    const anything = fc.record({
      dialog: fc.constantFrom(dialog, makeCandidate(), makeCandidate({ promptType: "unknown" }), null),
      request: fc.constantFrom(call, ask("AskUserQuestion", QUESTION), ask("mcp__x__y", {}), null),
    });
    fc.assert(
      fc.property(anything, fc.constantFrom("1", "2", "3", "4", "decline", ""), (sources, value) => {
        expect(way({ stampedBy, ...sources }, value)).not.toBe("keys");
      }),
    );
  });
});

const QUESTION = {
  questions: [{ question: "Which one?", header: "One", options: [{ label: "A" }, { label: "B" }] }],
};

describe("the way of an answer to a card that the screen made", () => {
  const stampedBy = "screen";
  const joined: RoutingState = { stampedBy, dialog, request: call };

  it.each([
    ["Yes: the call's own Yes", "1", "hook allow"],
    ["No: the call's own No", "4", "hook deny"],
    ["a row that remembers in its own words: only the dialog knows what", "2", "keys"],
    ["a row that the call has no word for: the dialog", "3", "keys"],
  ])("%s", (_, value, expected) => {
    expect(way(joined, value)).toBe(expected);
  });

  it("is the dialog where no call waits", () => {
    for (const value of ["1", "2", "3", "4"]) expect(way({ ...joined, request: null }, value)).toBe("keys");
  });

  it("is none once the dialog is gone and no call waits", () => {
    expect(way({ stampedBy, dialog: null, request: null }, "1")).toBe("withdrawn");
  });

  it("is the dialog where two of its rows say the same: which one the call means is not certain", () => {
    const twice = makeCandidate({
      choices: makeChoices(
        { label: "Yes", intent: "allow_once" },
        { label: "Yes, manually", intent: "allow_once" },
      ),
    });
    expect(way({ stampedBy, dialog: twice, request: call }, "1")).toBe("keys");
  });

  it("is the call for an option of the same name, and the dialog for one that is written otherwise", () => {
    const dialog = makeCandidate({
      safetyClass: "question",
      choices: makeChoices({ label: "A" }, { label: "B …" }),
    });
    const asked = ask("AskUserQuestion", QUESTION);
    expect(way({ stampedBy, dialog, request: asked }, "1")).toBe("hook allow");
    expect(way({ stampedBy, dialog, request: asked }, "2")).toBe("keys");
  });

  it("goes to a forger at most with what the dialog's own words mean, and the dialog still stands", () => {
    const forged = ask("Bash", { command: "rm -rf build" });
    const routed = chooseRoute({ stampedBy, dialog, request: forged }, { value: "2" });
    // "Don't ask again" is never said to a call that does not say it itself.
    expect("by" in routed && routed.by).toBe("keys");
  });
});
