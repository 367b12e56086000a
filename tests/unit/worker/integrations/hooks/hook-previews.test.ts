/**
 * The call that a tool reports before its dialog completes a dialog that is cut only where exactly one report agrees with it. A
 * forged report completes nothing.
 */
import { describe, expect, it } from "vitest";
import { HookPreviews } from "../../../../../src/worker/integrations/hooks/hook-previews.js";
import { createPreviewedForm } from "../../../../../src/worker/integrations/hooks/hook-request.js";
import { call, replayDialog, LONG, told as toldBy } from "../../prompts/recorded-dialogs.js";
import { shippedAdapter } from "../../detection/screens.js";

const CUT = "bash-multiline-45x20-2.1.329";
const bash = (command: string) => call("Bash", { command });
/** Agrees with all that is visible. */
const HARMLESS = LONG.replace("set -e", "set -x");

describe("a reported call of a dialog that a tool is about to draw", () => {
  it("completes the dialog where it is cut", async () => {
    const told = new HookPreviews();
    told.add(bash("something else"), 0);
    told.add(bash(LONG), 0);
    expect(told.completeContent(await replayDialog(CUT))).toEqual({ text: LONG, cut: { told: true } });
  });

  it("does not where the dialog shows all, or shows something else", async () => {
    const told = new HookPreviews();
    told.add(bash(LONG), 0);
    for (const name of ["bash-multiline-120x40-2.1.329", "bash-45x20-2.1.329"]) {
      const dialog = await replayDialog(name);
      expect(told.completeContent(dialog), name).toBe(dialog.content);
    }
  });

  it("does not when two different calls agree, as one of them is forged", async () => {
    const told = new HookPreviews();
    const dialog = await replayDialog(CUT);
    told.add(bash(HARMLESS), 0);
    expect(told.completeContent(dialog).text).toBe(HARMLESS);
    told.add(bash(LONG), 0);
    expect(told.completeContent(dialog)).toBe(dialog.content);
    told.add(bash(HARMLESS), 0);
    expect(told.completeContent(dialog)).toBe(dialog.content);
  });

  it("does not as long as an unreadable call was reported", async () => {
    const told = new HookPreviews();
    const dialog = await replayDialog(CUT);
    told.add(bash(HARMLESS), 0);
    told.add(null, 0);
    expect(told.completeContent(dialog)).toBe(dialog.content);
    told.onState("idle", 6000);
    expect(told.completeContent(dialog)).toBe(dialog.content);
    told.onState("working", 12_000);
    told.add(bash(LONG), 12_000);
    expect(told.completeContent(dialog).text).toBe(LONG);
  });

  it("is forgotten with the answer", async () => {
    const told = new HookPreviews();
    const dialog = await replayDialog(CUT);
    told.add(bash(HARMLESS), 0);
    told.onDialogEnd(dialog, "answered_by_us");
    told.add(bash(LONG), 0);
    expect(told.completeContent(dialog).text).toBe(LONG);
  });

  it("is forgotten when the tool rested, unless it was reported just before", async () => {
    const told = new HookPreviews();
    const dialog = await replayDialog(CUT);
    told.add(bash(HARMLESS), 0);
    told.add(bash(LONG), 3000);
    told.onState("idle", 6000);
    told.onState("working", 11_000);
    expect(told.completeContent(dialog).text).toBe(LONG);
    told.onState("idle", 20_000);
    told.onState("waiting", 30_000);
    expect(told.completeContent(dialog)).toBe(dialog.content);
  });

  it("is kept within a limit, beyond which no dialog is completed", async () => {
    const told = new HookPreviews();
    const dialog = await replayDialog(CUT);
    told.add(bash(LONG), 0);
    for (let number = 0; number < 64; number++) told.add(bash(`touch ${number}`), 0);
    expect(told.completeContent(dialog)).toBe(dialog.content);
  });
});

describe("a harmless call, reported by another program, that agrees with a later dialog", () => {
  it("completes no dialog once another one was answered that may have been either of two", async () => {
    const told = new HookPreviews();
    const showing = async (...rows: string[]) => ({ ...(await replayDialog(CUT)), parts: [rows.join("\n")] });
    const first = await showing("rm -rf dist build node_modules/.cache", "echo finished");
    const second = await showing("echo finished");
    for (const text of [LONG, HARMLESS, "ls\necho finished"]) told.add(bash(text), 0);
    told.onDialogEnd(first, "answered_locally");
    expect(told.completeContent(second)).toBe(second.content);
  });

  it("does not complete the second of two equal dialogs, when the first was answered", async () => {
    const told = new HookPreviews();
    const dialog = await replayDialog(CUT);
    told.add(bash(LONG), 0);
    told.add(bash(LONG), 0);
    told.onDialogEnd(dialog, "answered_by_us");
    told.add(bash(HARMLESS), 0);
    expect(told.completeContent(dialog)).toBe(dialog.content);
  });

  it.each(["left_screen", "superseded"] as const)(
    "does not complete a dialog that comes back after it had %s",
    async (reason) => {
      const told = new HookPreviews();
      const dialog = await replayDialog(CUT);
      told.add(bash(LONG), 0);
      told.onDialogEnd(dialog, reason);
      told.add(bash(HARMLESS), 0);
      expect(told.completeContent(dialog)).toBe(dialog.content);
    },
  );

  it("completes no dialog when nothing is drawn for a moment between two", async () => {
    const told = new HookPreviews();
    const dialog = await replayDialog(CUT);
    told.add(bash(LONG), 0);
    told.onState("idle", 20_000);
    told.onState("working", 20_200);
    told.add(bash(HARMLESS), 20_200);
    expect(told.completeContent(dialog)).toBe(dialog.content);
  });
});

const lines = (count: number, line: (number: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at + 1));
const STEPS = `${lines(8, (step) => `echo "step ${step}: copy the old reports aside before anything is deleted" >> cleanup.log`).join(" && ")} && rm -rf ./build ./dist ./node_modules`;
const SCRIPT = [
  "set -e",
  "for f in *.txt; do",
  '  echo "› 1. Yes, allow once"',
  '  echo "  2. No, suggest changes (esc)"',
  "done",
  "rm -rf build",
].join("\n");
const PATCH = `*** Begin Patch\n*** Add File: notes.md\n${lines(60, (line) => `+Line ${line}`).join("\n")}\n*** End Patch`;
const PLAN = `# Retry helper\n\n1. Add a helper in \`src/retry.ts\`\n2. Wire it in\n\nContinue? (y/n)\n${lines(40, (line) => `${line + 2}. Step ${line + 2} of a long plan\n`).join("")}`;
const OLD = "    pass\n";
const NEW = '    print("1. Yes")\n    print("› 2. No")\n';

const qwen = (tool_name: string, tool_input: object) =>
  toldBy("qwen", "PermissionRequest", { tool_name, tool_input });
const codex = (tool_name: string, command: string) =>
  toldBy("codex", "PermissionRequest", { tool_name, tool_input: { command } });
const STEPS_ASIDE = `${lines(8, (step) => `echo "step ${step}: copy the old reports aside" >> cleanup.log`).join(" && ")} && rm -rf ./build ./dist`;
const DIFF = [
  "",
  "diff --git a/home/dev/proj/app.py b/home/dev/proj/app.py",
  "@@ -1,7 +1,8 @@",
  " import sys",
  " ",
  " def main():",
  "-    pass",
  '+    print("1. Yes")',
  '+    print("❯ 2. No")',
  " ",
  ' name = input("Your name? ")',
  ' print(f"hi {name}")',
  "",
].join("\n");
const copilot = (toolName: string, toolInput: object) =>
  toldBy("copilot", "permissionRequest", { hookName: "permissionRequest", toolName, toolInput });
const change = (diff: string) => copilot("edit", { file_path: "/home/dev/proj/app.py", diff });

describe("a dialog that a tool cuts", () => {
  it.each([
    ["codex", "exec-long-45x20-0.169.0", codex("Bash", STEPS), STEPS],
    ["codex", "edit-long-45x20-0.169.0", codex("apply_patch", PATCH), PATCH],
    ["codex", "edit-long-80x24-0.169.0", codex("apply_patch", PATCH), PATCH],
    [
      "qwen",
      "shell-script-45x20-0.24.4",
      qwen("run_shell_command", { command: SCRIPT, description: "Clear out old build output" }),
      `${SCRIPT}\ndescription: Clear out old build output`,
    ],
    [
      "qwen",
      "edit-45x20-0.24.4",
      qwen("edit", { file_path: "app.py", old_string: OLD, new_string: NEW }),
      `app.py\n-    pass\n-\n+    print("1. Yes")\n+    print("› 2. No")\n+`,
    ],
    ["qwen", "plan-long-45x20-0.24.4", qwen("exit_plan_mode", { plan: PLAN }), PLAN],
    ["copilot", "shell-long-45x20-1.0.102", copilot("bash", { command: STEPS_ASIDE }), STEPS_ASIDE],
    ["copilot", "edit-80x24-1.0.102", change(DIFF), `/home/dev/proj/app.py\n${DIFF}`],
    ["copilot", "edit-45x20-1.0.102", change(DIFF), `/home/dev/proj/app.py\n${DIFF}`],
  ])("of %s (%s) is shown as it was reported", async (tool, name, ask, text) => {
    const told = new HookPreviews();
    const dialog = await replayDialog(name, tool);
    told.add(ask, 0);
    expect(dialog.content.cut).not.toBeNull();
    expect(told.completeContent(dialog)).toEqual({ text, cut: { told: true } });
  });

  it.each([
    ["codex", "exec-long-45x20-0.169.0", codex("Bash", STEPS.replace("step 2", "step 9"))],
    ["codex", "exec-long-45x20-0.169.0", codex("Bash", 'echo "step 1')],
    ["codex", "edit-long-45x20-0.169.0", codex("apply_patch", PATCH.replaceAll("Line", "Row"))],
    ["codex", "edit-long-45x20-0.169.0", codex("apply_patch", "")],
    [
      "qwen",
      "shell-script-45x20-0.24.4",
      qwen("run_shell_command", { command: SCRIPT.replace("rm -rf build", "ls build"), description: "x" }),
    ],
    ["qwen", "edit-45x20-0.24.4", qwen("edit", { file_path: "app.py", old_string: OLD, new_string: "pass" })],
    ["copilot", "shell-long-45x20-1.0.102", copilot("bash", { command: STEPS_ASIDE.replace("./dist", ".") })],
    ["copilot", "edit-80x24-1.0.102", change(DIFF.replace('+    print("1', '-    print("1'))],
  ])("of %s (%s) is not, where what is visible contradicts", async (tool, name, ask) => {
    const told = new HookPreviews();
    const dialog = await replayDialog(name, tool);
    told.add(ask, 0);
    expect(told.completeContent(dialog)).toBe(dialog.content);
  });
});

describe("a dialog whose call is always reported", () => {
  const { calls = [] } = shippedAdapter("copilot").hooks ?? {};
  const open = () =>
    new HookPreviews(
      false,
      calls.flatMap(({ asked }) => asked ?? []),
    );
  const isMarked = (told: HookPreviews, dialog: Awaited<ReturnType<typeof replayDialog>>) =>
    told.complete(dialog).opened === true;

  it.each(["shell-80x24-1.0.102", "shell-45x20-1.0.102", "two-second-80x24-1.0.102"])(
    "may be drawn by another program where it shows none of the reported calls: %s",
    async (name) => {
      const told = open();
      const dialog = await replayDialog(name, "copilot");
      expect(isMarked(told, dialog)).toBe(false);
      told.add(copilot("bash", { command: "ls -la" }), 0);
      told.add(copilot("edit", { file_path: "/a", diff: "rm -rf build" }), 0);
      expect(isMarked(told, dialog)).toBe(true);
      for (const command of ["rm -rf build", "rm -rf dist"]) told.add(copilot("bash", { command }), 0);
      expect(isMarked(told, dialog)).toBe(false);
    },
  );

  it.each(["shell-long-80x24-1.0.102", "shell-long-120x40-1.0.102", "shell-long-45x20-1.0.102"])(
    "is the tool's where its call was reported, however it is wrapped or cut: %s",
    async (name) => {
      const told = open();
      told.add(copilot("bash", { command: STEPS_ASIDE }), 0);
      expect(isMarked(told, await replayDialog(name, "copilot"))).toBe(false);
    },
  );

  it("is not marked after a report that could not be read, nor where the call of such a dialog is told otherwise", async () => {
    const told = open();
    told.add(copilot("bash", { command: "ls -la" }), 0);
    for (const name of ["url", "path", "create", "edit", "mcp", "plan", "question"])
      expect(isMarked(told, await replayDialog(`${name}-80x24-1.0.102`, "copilot")), name).toBe(false);
    told.add(null, 0);
    expect(isMarked(told, await replayDialog("shell-80x24-1.0.102", "copilot"))).toBe(false);
  });
});

describe("a report without a call in it", () => {
  it.each([[{}], [{ tool_input: "rm" }], [{ tool_name: "Bash" }], [{ tool_input: {} }]])(
    "is ignored: %j",
    (body) => {
      expect(toldBy("codex", "PermissionRequest", body)).toBeNull();
    },
  );
});

describe("a form that no rule describes", () => {
  const lends = shippedAdapter("claude").hooks?.events.find(({ name }) => name === "Elicitation")?.preview;
  if (!lends) throw new Error("claude tells of no form");
  const form = {
    hook_event_name: "Elicitation",
    mcp_server_name: "ops",
    message: "Which environment should be used?",
    requested_schema: { type: "object", properties: { name: { type: "string" } } },
  };
  const drawn = async (text: string) => ({
    ...(await replayDialog(CUT)),
    promptType: "unknown" as const,
    content: { text, cut: {} },
  });

  it("is shown as it was reported, with the picture that keys go to", async () => {
    const told = new HookPreviews();
    const picture = "MCP server “ops” requests your input\nWhich environment\nshould be used?\n❯ name:";
    told.add(toldBy("claude", "Elicitation", form), 0);
    const { text, cut } = told.completeContent(await drawn(picture));
    expect(cut).toEqual({ told: true });
    expect(text).toContain('"properties"');
    expect(text.endsWith(picture)).toBe(true);
  });

  it("is raised with its fields where it can be filled in, unless another report agrees", async () => {
    const told = new HookPreviews();
    const dialog = await drawn(
      "MCP server “ops” requests your input\nWhich environment should be used?\n❯ name:",
    );
    const tell = (properties: object) => {
      const requested_schema = { type: "object", properties };
      const ask = toldBy("claude", "Elicitation", { ...form, requested_schema });
      told.add(ask, 0, ask && createPreviewedForm(ask, lends));
    };
    tell({ name: { type: "string", title: "Your name" } });
    expect(told.findForm(dialog)?.prompt.content.text).toBe("Your name\n\nmcp_server_name: ops");
    expect(told.findForm({ ...dialog, promptType: "multiple_choice" })).toBeNull();
    expect(
      told.findForm(await drawn("MCP server “lax” requests your input\nWhich environment should be used?")),
    ).toBeNull();
    tell({ password: { type: "string", title: "Your name" } });
    expect(told.findForm(dialog)).toBeNull();
  });

  it("is not raised as a form where half of it could not be answered", () => {
    const ask = toldBy("claude", "Elicitation", {
      ...form,
      requested_schema: { properties: { a: { type: "object" } } },
    });
    expect(ask && createPreviewedForm(ask, lends)).toBeNull();
  });

  it("completes no other form, and is completed by no call", async () => {
    const told = new HookPreviews();
    told.add(toldBy("claude", "Elicitation", form), 0);
    told.add(bash("rm -rf build"), 0);
    const dialog = await drawn("What is your name?");
    expect(told.completeContent(dialog)).toBe(dialog.content);
  });
});
