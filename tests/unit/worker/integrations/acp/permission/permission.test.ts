/** A form of an agent is raised with all its fields or not at all, and a permission shows the whole input, diff and places of its call. */
import { describe, expect, it } from "vitest";
import { findYes } from "../../../../../../src/model/answer/find-yes.js";
import { findSafeDefault } from "../../../../../../src/model/answer/safe-default.js";
import { parseLegalValue } from "../../../../../../src/model/answer/reply.js";
import type { PendingRequest } from "../../../../../../src/worker/prompts/pending-request.js";
import { createElicitationRequest } from "../../../../../../src/worker/prompts/content/elicitation.js";
import {
  createPermissionRequest,
  readPermissionRequest,
} from "../../../../../../src/worker/integrations/acp/permission/permission.js";
import { mergeToolCall } from "../../../../../../src/worker/runtimes/protocol/tool-call.js";

function form(properties: object, required: readonly string[] = Object.keys(properties)): PendingRequest {
  const asking = createElicitationRequest({
    mode: "form",
    message: "Please tell",
    requestedSchema: { type: "object", properties, required },
  });
  if (!asking) throw new Error("it was not read");
  return asking;
}

/** What the agent gets for what a person says; the rejection's code where it is none. */
function given(asking: PendingRequest, value: string): unknown {
  const legal = parseLegalValue(asking.prompt, value);
  if (!legal.ok) return legal.rejection.code;
  const answered = asking.answer({ value: legal.value });
  return "result" in answered ? answered.result : answered.code;
}

describe("a form of the agent", () => {
  it("of one choice is that choice, by the agent's own value", () => {
    const asking = form({
      db: {
        type: "string",
        title: "Database",
        oneOf: [
          { const: "pg", title: "Postgres" },
          { const: "my", title: "MySQL" },
        ],
      },
    });
    expect(asking.prompt.choices.map(({ label }) => label)).toEqual([
      "Postgres",
      "MySQL",
      "Decline to answer",
    ]);
    expect(given(asking, "2")).toEqual({ action: "accept", content: { db: "my" } });
    expect(given(asking, "3")).toEqual({ action: "decline" });
    expect(given(asking, "4")).toBe("option_unknown");
  });

  it("of one yes or no, one text, one number gives the agent that kind of value", () => {
    expect(given(form({ ok: { type: "boolean" } }), "1")).toEqual({
      action: "accept",
      content: { ok: true },
    });
    expect(given(form({ ok: { type: "boolean" } }), "2")).toEqual({
      action: "accept",
      content: { ok: false },
    });
    expect(given(form({ name: { type: "string", minLength: 2 } }), "Ara")).toEqual({
      action: "accept",
      content: { name: "Ara" },
    });
    expect(given(form({ name: { type: "string", minLength: 2 } }), "x")).toBe("option_unknown");
    expect(given(form({ n: { type: "integer", maximum: 9 } }), "7")).toEqual({
      action: "accept",
      content: { n: 7 },
    });
    for (const wrong of ["7.5", "10", "seven", "0x7", "1e3"])
      expect(given(form({ n: { type: "integer", maximum: 9 } }), wrong), wrong).toBe("option_unknown");
    expect(given(form({ n: { type: "number" } }), "decline")).toEqual({ action: "decline" });
  });

  it("of one of several numbers is a choice of these", () => {
    const asking = form({ n: { type: "integer", enum: [3, 1, 2] } });
    expect(asking.prompt.choices.map(({ label }) => label)).toEqual(["3", "1", "2", "Decline to answer"]);
    expect(given(asking, "1")).toEqual({ action: "accept", content: { n: 3 } });
    expect(given(asking, "77")).toBe("option_unknown");
    const two = form({ n: { type: "integer", enum: [3, 1, 2] }, m: { type: "string" } });
    expect(given(two, "1\nx")).toEqual({ action: "accept", content: { n: 3, m: "x" } });
    expect(given(two, '{"n":"1","m":"x"}')).toEqual({ action: "accept", content: { n: 1, m: "x" } });
  });

  it("of a list takes several, within its limits", () => {
    const asking = form({
      tags: { type: "array", items: { type: "string", enum: ["a", "b", "c"] }, maxItems: 2 },
    });
    expect(given(asking, "1,3")).toEqual({ action: "accept", content: { tags: ["a", "c"] } });
    expect(given(asking, "1,2,3")).toBe("option_unknown");
    expect(given(asking, "decline")).toEqual({ action: "decline" });
  });

  it("of several fields is answered line by line; what is optional may be left out", () => {
    const asking = form(
      {
        colour: { type: "string", enum: ["red", "blue"] },
        size: { type: "integer" },
        note: { type: "string", description: "anything else" },
      },
      ["colour", "size"],
    );
    expect(asking.prompt.content.text).toContain("3) note: anything else (- leaves it out)");
    expect(given(asking, "2\n40\nsoon please")).toEqual({
      action: "accept",
      content: { colour: "blue", size: 40, note: "soon please" },
    });
    for (const word of ["-", "(leave out)", "(Leave out)"])
      expect(given(asking, `red\n40\n${word}`), word).toEqual({
        action: "accept",
        content: { colour: "red", size: 40 },
      });
    expect(given(asking, "red\nbig\n-")).toBe("option_unknown");
    expect(given(asking, "red\n40")).toBe("form_incomplete");
  });

  it("takes a number as it is for a field that may be left out, never as leaving it out", () => {
    const properties = { name: { type: "string" }, replicas: { type: "integer" }, note: { type: "string" } };
    const asking = form(properties, ["name"]);
    const content = { name: "web", replicas: 1, note: "1" };
    expect(given(asking, "web\n1\n1")).toEqual({ action: "accept", content });
    expect(given(asking, '{"name":"web","replicas":"1","note":"1"}')).toEqual({ action: "accept", content });
    expect(given(asking, "web\n-\nx")).toEqual({ action: "accept", content: { name: "web", note: "x" } });
    expect(given(asking, "web\n-\n(leave out)")).toEqual({ action: "accept", content: { name: "web" } });
    // One that has to be answered takes it as words.
    expect(given(asking, "-\n2\nx")).toEqual({
      action: "accept",
      content: { name: "-", replicas: 2, note: "x" },
    });
  });

  it("that has choices leaves out by a choice what may be left out", () => {
    const asking = form({ name: { type: "string" }, colour: { type: "string", enum: ["red"] } }, ["name"]);
    expect(asking.prompt.content.text).toContain("2) colour\n   1. red\n   2. (leave out)");
    expect(given(asking, "web\n2")).toEqual({ action: "accept", content: { name: "web" } });
  });

  it("that cannot be read whole is not asked at all", () => {
    const read = (properties: object) =>
      createElicitationRequest({ mode: "form", message: "?", requestedSchema: { properties } });
    expect(read({})).toBeNull();
    expect(read({ a: { type: "string" }, b: { type: "colour" } })).toBeNull();
    expect(read({ a: { type: "array", items: {} } })).toBeNull();
    expect(read({ a: { type: "string", enum: ["x", "x"] } })).toBeNull();
    // Nor one of which a choice cannot be shown, or is none that its field takes.
    const a = { const: "a", title: "A" };
    for (const [at, choices] of [
      { oneOf: [a, { title: "no const" }] },
      { oneOf: [a, { const: 5 }] },
      { oneOf: [a, "b"] },
      { oneOf: [a], enum: ["a", "b"] },
      { oneOf: [] },
      { enum: ["a", 5] },
      { enum: "a" },
    ].entries())
      expect(read({ a: { type: "string", ...choices } }), String(at)).toBeNull();
    expect(read({ a: { type: "integer", enum: [1, "2"] } })).toBeNull();
    expect(createElicitationRequest({ mode: "voice", message: "?" })).toBeNull();
    expect(createElicitationRequest({ mode: "form" })).toBeNull();
  });

  it("that is a page is opened by the person, and shows where it leads", () => {
    const asking = createElicitationRequest({
      mode: "url",
      message: "Sign in",
      url: "https://id.example.com/a?b=c",
    });
    expect(asking?.prompt.choices[0]?.label).toBe("I agree to open id.example.com");
    expect(asking?.prompt.content.text).toContain("https://id.example.com/a?b=c");
    expect(asking && given(asking, "1")).toEqual({ action: "accept" });
    expect(asking && given(asking, "2")).toEqual({ action: "decline" });
    for (const url of ["javascript:alert(1)", "file:///etc/passwd", "nonsense"])
      expect(createElicitationRequest({ mode: "url", message: "Sign in", url }), url).toBeNull();
  });
});

describe("a permission", () => {
  const options = [{ optionId: "o", name: "Yes", kind: "allow_once" }];

  it("shows what was reported of its call before, where it says nothing itself", () => {
    const known = mergeToolCall(
      { toolCallId: "t", title: "Edit a.ts", kind: "edit", locations: [{ path: "/a.ts", line: 3 }] },
      undefined,
    );
    const request = readPermissionRequest(
      { toolCall: { toolCallId: "t" }, options },
      () => known ?? undefined,
    );
    expect(request).toMatchObject({ title: "Edit a.ts", text: "/a.ts:3" });
  });

  it("leaves nothing of an input out, and shows a file as it changes", () => {
    const content = [
      { type: "diff", path: "/a", oldText: null, newText: "one\n" },
      { type: "news", body: 1 },
    ];
    const toolCall = {
      toolCallId: "t",
      title: "Do",
      content,
      rawInput: { command: "make", env: { A: "1" } },
    };
    const request = readPermissionRequest({ toolCall, options }, () => undefined);
    expect(request?.text).toContain("/a (new file)\n+one");
    expect(request?.text).toContain('"body": 1');
    expect(request?.text).toContain("make\nenv:\n");
  });

  it("shows the patch of a diff, and all that changes", () => {
    const patch = { format: "git_patch", text: "--- /a\n+++ /a\n-one\n+two" };
    const changes = [{ operation: "modify", path: "/a" }, "news"];
    const toolCall = { toolCallId: "t", title: "Do", content: [{ type: "diff", changes, patch }] };
    const text = readPermissionRequest({ toolCall, options }, () => undefined)?.text;
    for (const part of [patch.text, '"modify"', "news"]) expect(text).toContain(part);
  });

  it("names every place that is not named in whole", () => {
    const readText = (title: string, content: readonly object[] = []) => {
      const locations = ["/srv/app", "/srv"].map((path) => ({ path }));
      const toolCall = { toolCallId: "t", title, kind: "delete", content, locations };
      return readPermissionRequest({ toolCall, options }, () => undefined)?.text;
    };
    expect(readText("Delete /srv/app/tmp")).toBe("/srv/app\n/srv");
    expect(readText("Delete /srv/app")).toBe("/srv");
    const diff = { type: "diff", path: "/srv/app", oldText: null, newText: "x\n" };
    expect(readText("Write", [diff])).toBe("/srv\n\n/srv/app (new file)\n+x");
    const patched = { type: "diff", path: "/srv/app", changes: [], patch: { text: "+x" } };
    expect(readText("Write", [patched])).toBe("/srv\n\n/srv/app\n+x");
    // What is about a path and shows nothing of it names none.
    const silent = { type: "content", path: "/srv/app", content: { type: "text", text: "ok" } };
    expect(readText("Write", [silent])).toBe("/srv/app\n/srv\n\nok");
  });

  it("shows what its call is called, whatever the request says of it", () => {
    const asked = (title: string) => {
      const toolCall = { toolCallId: "t", title: "rm -rf ~", kind: "execute" };
      return readPermissionRequest({ title, toolCall, options }, () => undefined);
    };
    expect(asked("Allow ls?")).toMatchObject({ title: "Allow ls?", text: "rm -rf ~" });
    expect(asked("rm -rf ~")).toMatchObject({ title: "rm -rf ~", text: "" });
    expect(asked(" ")).toMatchObject({ title: "rm -rf ~", text: "" });
  });

  it("is refused by the No that remembers nothing, or not at all", () => {
    const refused = (...kinds: readonly string[]) => {
      const offered = kinds.map((kind) => ({ optionId: kind, name: kind, kind }));
      const request = readPermissionRequest(
        { toolCall: { toolCallId: "t" }, options: offered },
        () => undefined,
      );
      return request && createPermissionRequest(request, "/").refused;
    };
    expect(refused("allow_once", "reject_always", "reject_once")).toEqual({
      outcome: { outcome: "selected", optionId: "reject_once" },
    });
    expect(refused("allow_once", "reject_always")).toEqual({ outcome: { outcome: "cancelled" } });
  });

  it("that ends planning is raised as the plan's approval", () => {
    const request = readPermissionRequest(
      { toolCall: { toolCallId: "t", kind: "switch_mode" }, options },
      () => undefined,
    );
    expect(request && createPermissionRequest(request, "/").prompt.safetyClass).toBe("plan");
  });

  it("that is titled as a plan's is one, and says that people do not see the plan where they do not", () => {
    const asked = (content: readonly object[]) => {
      const toolCall = { toolCallId: "t", kind: "other", title: "Approve the plan /plan.md", content };
      const request = readPermissionRequest(
        { toolCall, options },
        () => undefined,
        (title) => title.startsWith("Approve the plan "),
      );
      return request && createPermissionRequest(request, "/").prompt;
    };
    expect(asked([])).toMatchObject({ safetyClass: "plan", content: { cut: { missing: "the plan" } } });
    const whole = { type: "content", content: { type: "text", text: "1. Look" } };
    expect(asked([whole])).toMatchObject({ safetyClass: "plan", content: { text: "1. Look", cut: null } });
  });

  it("shows no lines twice, and keeps the name of a short value", () => {
    const text = (plan: string) => {
      const content = [
        { type: "content", content: { type: "text", text: plan } },
        { type: "terminal", terminalId: "t-1" },
      ];
      const toolCall = { toolCallId: "t", title: "Do", content, rawInput: { plan, file: "/plan.md" } };
      return readPermissionRequest({ toolCall, options }, () => undefined)?.text;
    };
    expect(text("1. Look\n2. Do")).toBe("1. Look\n2. Do\n\nfile: /plan.md");
    expect(text("Look")).toBe("Look\n\nplan: Look\nfile: /plan.md");
  });

  it("asks two equal requests under two fingerprints only if they differ", () => {
    const of = (command: string) => {
      const request = readPermissionRequest(
        { toolCall: { toolCallId: command, title: "Run", rawInput: { command } }, options },
        () => undefined,
      );
      return request && createPermissionRequest(request, "/").prompt.fingerprint;
    };
    expect(of("ls")).toBe(of("ls"));
    expect(of("ls")).not.toBe(of("rm"));
  });
});

describe("a choice of an agent whose words say the contrary of its kind", () => {
  const ask = (options: readonly (readonly [name: string, kind: string])[]): PendingRequest => {
    const offered = options.map(([name, kind], at) => ({ optionId: `o${at}`, name, kind }));
    const request = readPermissionRequest({ options: offered, title: "Run it?" }, () => undefined);
    if (!request) throw new Error("it was not read");
    return createPermissionRequest(request, "/w");
  };

  it("says on the card what it does, and is no safe default and no rule's yes", () => {
    const asking = ask([
      ["No", "allow_once"],
      ["✅ Yes, go on", "reject_once"],
    ]);
    expect(asking.prompt.choices).toEqual([
      { label: "⚠ allows once: No", intent: "other" },
      { label: "⚠ rejects once: ✅ Yes, go on", intent: "other" },
    ]);
    expect(findSafeDefault(asking.prompt)).toMatchObject({ ok: false });
    expect(findYes(asking.prompt)).toBeNull();
    expect(asking.refused).toEqual({ outcome: { outcome: "cancelled" } });
    expect(given(asking, "2")).toEqual({ outcome: { outcome: "selected", optionId: "o1" } });
  });

  it("is taken by a number alone where it allows always, as any such choice", () => {
    expect(ask([["Deny", "allow_always"]]).prompt.choices).toEqual([
      { label: "⚠ allows always: Deny", intent: "allow_always" },
    ]);
  });

  it("is not seen where the words fit, or say neither", () => {
    const fitting = [
      ["Allow", "allow_once"],
      ["Always Allow", "allow_always"],
      ["Don't ask again", "allow_always"],
      ["Yes, and manually approve edits", "allow_once"],
      ["No, keep planning", "reject_once"],
      ["Continue planning", "reject_once"],
      ["Note it", "allow_once"],
    ] as const;
    expect(ask(fitting).prompt.choices.map(({ label, intent }) => [label, intent])).toEqual(fitting);
  });
});
