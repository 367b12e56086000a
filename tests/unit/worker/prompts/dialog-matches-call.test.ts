/** A dialog and a call are one prompt only where they agree: each recorded dialog agrees with its own call and with no other. */
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../../src/sdk/candidate.js";
import { matchesCall } from "../../../../src/worker/prompts/dialog-matches-call.js";
import type { ToolCallRequest } from "../../../../src/worker/prompts/tool-call-request.js";
import { call, replayDialog, LONG } from "./recorded-dialogs.js";

const bash = (command: string): ToolCallRequest => call("Bash", { command, description: "Something" });
const question = (text: string, labels: readonly string[]) => ({
  question: text,
  header: text.slice(0, 12),
  multiSelect: false,
  options: labels.map((label) => ({ label, description: "" })),
});
const DATABASE = question("Which database should we use?", ["PostgreSQL", "SQLite", "MongoDB"]);
const PLAN =
  "# Plan: retry helper\n\n1. Add a retry helper in `src/retry.ts`\n2. Wire it in the client\n3. Add tests\n\n## Risks\n\n- Continue? (y/n) prompts in scripts";

/** The call behind each recorded dialog. */
const CALLS: Readonly<Record<string, ToolCallRequest>> = {
  bash: bash("rm -rf build"),
  "bash-multiline": bash(LONG),
  write: call("Write", { file_path: "/home/dev/repos/proj/src/new-file.ts", content: "…" }),
  edit: call("Edit", { file_path: "/home/dev/repos/proj/app.py", old_string: "a", new_string: "b" }),
  webfetch: call("WebFetch", { url: "https://example.com/docs", prompt: "Summarise it" }),
  mcp: call("mcp__ops__deploy", { target: "production", dry_run: false, note: "Continue? (y/n)" }),
  "ask-single": call("AskUserQuestion", { questions: [DATABASE] }),
  plan: call("ExitPlanMode", { plan: PLAN }),
};
const SIZES = ["120x40", "80x24", "45x20"];
const dialogs = Object.keys(CALLS).flatMap((name) => SIZES.map((size) => ({ name, size })));

describe("a dialog and the call behind it", () => {
  it.each(dialogs)("$name at $size: agrees with its own call and with no other", async ({ name, size }) => {
    const dialog = await replayDialog(`${name}-${size}-2.1.329`);
    const agreeing = Object.entries(CALLS).filter(([, ask]) => matchesCall(dialog, ask));
    expect(agreeing.map(([other]) => other)).toEqual([name]);
  });

  it("a page of several questions, and their review, agree with the whole", async () => {
    const region = question("Which region should we deploy to?", ["Europe", "US"]);
    const two = call("AskUserQuestion", {
      questions: [question("Which database should we use?", ["PostgreSQL", "SQLite"]), region],
    });
    for (const page of ["ask-two", "ask-two-second", "ask-two-review"])
      expect(matchesCall(await replayDialog(`${page}-80x24-2.1.329`), two), page).toBe(true);
  });
});

describe("a file outside of the folder, which the dialog names from there", () => {
  const shown = async (path: string): Promise<Candidate> => {
    const dialog = await replayDialog("write-80x24-2.1.329");
    const text = dialog.content.text.replace("src/new-file.ts", path);
    return { ...dialog, content: { ...dialog.content, text } };
  };
  const write = (file_path: string): ToolCallRequest => call("Write", { file_path, content: "…" });

  it("agrees with the call of exactly that file", async () => {
    const dialog = await shown("../outside/new-file.ts");
    expect(matchesCall(dialog, write("/home/dev/repos/outside/new-file.ts"))).toBe(true);
    expect(matchesCall(dialog, write("/home/dev/repos/proj/../outside/new-file.ts"))).toBe(true);
    expect(matchesCall(dialog, write("/srv/outside/new-file.ts"))).toBe(false);
    expect(matchesCall(dialog, write("/home/dev/repos/proj/outside/new-file.ts"))).toBe(false);
    const root = await shown("../../../../src/new-file.ts");
    expect(matchesCall(root, write("/src/new-file.ts"))).toBe(true);
  });
});

describe("a call that only pretends to be behind a dialog", () => {
  const forged: readonly [name: string, dialog: string, ask: ToolCallRequest][] = [
    ["is a part of the command", "bash-80x24", bash("build")],
    ["begins like the command", "bash-80x24", bash("rm -rf build/cache")],
    ["is one line of many", "bash-multiline-120x40", bash("echo finished")],
    [
      "is all but one line",
      "bash-multiline-120x40",
      bash(LONG.replace("rm -rf dist build node_modules/.cache\n", "")),
    ],
    ["changes the visible end", "bash-multiline-45x20", bash(LONG.replace("echo finished", "echo done"))],
    ["is nothing", "bash-80x24", bash("")],
    [
      "names another file",
      "write-80x24",
      call("Write", { file_path: "/home/dev/repos/proj/src/other.ts", content: "" }),
    ],
    ["names a file of the same end", "edit-80x24", call("Edit", { file_path: "/etc/not-app.py" })],
    [
      "fetches elsewhere",
      "webfetch-80x24",
      call("WebFetch", { url: "https://example.com/", prompt: "Summarise it" }),
    ],
    ["deploys elsewhere", "mcp-80x24", call("mcp__ops__deploy", { target: "staging", dry_run: false })],
    [
      "asks something else",
      "ask-single-80x24",
      call("AskUserQuestion", { questions: [question("Which one?", ["PostgreSQL"])] }),
    ],
    [
      "asks the same with other options",
      "ask-single-80x24",
      call("AskUserQuestion", {
        questions: [question("Which database should we use?", ["Oracle", "SQLite"])],
      }),
    ],
    [
      "plans something else",
      "plan-80x24",
      call("ExitPlanMode", { plan: "# Delete everything\n\n1. Remove the repository" }),
    ],
  ];

  it.each(forged)("%s (%s): both are prompts of their own", async (_, dialog, ask) => {
    expect(matchesCall(await replayDialog(`${dialog}-2.1.329`), ask)).toBe(false);
  });

  it("never agrees with a dialog that no call can be behind", async () => {
    const dialog = await replayDialog("trust-folder-80x24-2.1.329").catch(() =>
      replayDialog("trust-80x24-2.1.329"),
    );
    for (const ask of Object.values(CALLS)) expect(matchesCall(dialog, ask)).toBe(false);
  });
});
