/** What no rule lifts: uncertain, secret, altered, cut and hidden prompts, start-up, trust, login and update dialogs, and our own files. */
import { describe, expect, it } from "vitest";
import { mayAnswerAutomatically } from "../../../../src/hub/policy/automatic.js";
import { isPermanent } from "../../../../src/model/answer/find-yes.js";
import { SAFETY_CLASSES, type PromptEvent } from "../../../../src/model/prompt.js";
import { callPrompt, commandPrompt, judge, parseRules } from "../../../support/policy/policies.js";

const EVERYTHING = parseRules("\n  - { id: all, answer: allow_once }\n");
const NOTHING = parseRules("\n  - { id: none, deny: true }\n");

/** Whether a rule that says yes acts; what no rule at all may answer gets no automatic no either. */
function isAutomatic(event: PromptEvent): boolean {
  const [yes, no] = [EVERYTHING, NOTHING].map((policy) => judge(policy, event).kind);
  expect(mayAnswerAutomatically(event) || no === "ask").toBe(true);
  return yes === "answer";
}

describe("a rule that matches everything", () => {
  it("acts on a plain permission prompt", () => {
    expect(isAutomatic(commandPrompt("make it so"))).toBe(true);
  });

  it.each([
    ["low confidence", { confidence: "low" }],
    ["an unknown prompt", { promptType: "unknown" }],
    ["a secret", { promptType: "secret" }],
    ["cut content", { content: { text: "x", cut: {} } }],
    ["content that only a hook reported", { content: { text: "x", cut: { told: true } } }],
    ["hidden characters", { content: { text: "x", cut: null, hidden: { characters: 3, kinds: ["token"] } } }],
    [
      "a dialog that another program may have drawn over",
      { content: { text: "x", cut: null, hidden: { characters: 0, kinds: [], opened: true } } },
    ],
    ["a text with a mark for an invisible character", { content: { text: "ls ‹U+202E›", cut: null } }],
    ["a question with such a mark", { excerpt: "Run ‹U+200B›?" }],
    ["a choice with such a mark", { choices: [{ label: "Yes‹U+200B›", intent: "allow_once" }] }],
    [
      "a call with such a mark",
      { content: { text: "x", cut: null, call: { tool: "Bash", input: { a: ["‹U+0430›"] } } } },
    ],
    ["half a character", { content: { text: "ls \ufffd", cut: null } }],
  ] as [string, Partial<PromptEvent>][])("leaves %s to people", (_, over) => {
    expect(isAutomatic(commandPrompt("ls", over))).toBe(false);
  });

  it("acts on no class of prompts that only people may answer", () => {
    const automatic = SAFETY_CLASSES.filter((safetyClass) =>
      isAutomatic(commandPrompt("ls", { safetyClass })),
    );
    expect(automatic).toEqual(["permission", "question", "plan", "pager", "user_menu"]);
  });
});

describe("our own files", () => {
  it.each([
    "cat ~/.config/atlasbridge/config.yaml",
    "rm -rf ~/.config",
    "cp x /home/ara/.config/atlasbridge/policy.yaml",
    "cp x --target=/home/ara/.config/atlasbridge",
    "cp x ../.config/atlasbridge/policy.yaml",
    "sed -i s/a/b/ /home/ara/.local/share/atlasbridge/x",
    "python3 -c 'open(\"/home/ara/.config/atlasbridge/policy.yaml\")'",
    "curl -s 'file:///home/ara/.config/atlasbrid[g-g]e/policy.yaml'",
    "curl -s 'file:///home/ara/.config/{atlasbridge,x}/policy.yaml'",
    "git diff --no-index x '/home/ara/.config/atlasbrid[g]e'",
    "atlasbridge resume",
    "node /opt/atlasbridge/dist/main.js answer k7 1; /usr/bin/atlasbridge answer k7 1",
    "bash -c 'atlasbridge mode full'",
    "bash -c 'cp x ~/.config/atlasbridge/policy.yaml'",
    'cp x "$PWD/policy.yaml"',
    "A=atlasbridge; $A resume",
    "rm -rf $ATLASBRIDGE_HOME",
    "rm -rf $HOME/.config",
    "dd of=../.config/atlasbridge/policy.yaml",
    "cp x -t../.config/atlasbridge",
    "cd ~ && cp x .config/atlasbridge/policy.yaml",
    "cd ~; cd .config; rm -rf atlasbridge",
    "git -C ~ clean -fd .config",
    "sudo make",
    "rm -rf /",
    "cat ~/.config/*/policy.yaml",
    "cp x a*",
    "python3 -c 'import os; os.remove(os.path.expanduser(\"~/.config/atlasbridge/policy.yaml\"))'",
    "cat <(echo x)",
    "cp x ~ara/y",
  ])("are left to people: %s", (line) => {
    expect(isAutomatic(commandPrompt(line))).toBe(false);
  });

  it.each([
    ["Write", { file_path: "/home/ara/.config/atlasbridge/policy.yaml" }],
    ["Write", { file_path: "../.config/atlasbridge/policy.yaml" }],
    ["edit", { changes: [{ path: "/home/ara/.local/share/atlasbridge/atlasbridge.db" }] }],
    ["anything", { code: "see /home/ara/.config/atlasbridge/x" }],
  ])("are left to people: %s %o", (tool, input) => {
    expect(isAutomatic(callPrompt(tool, input))).toBe(false);
  });

  it("are no reason against a no where it is only possible that they are touched", () => {
    for (const line of ["sudo make", "cp x $Y"])
      expect(judge(NOTHING, commandPrompt(line)).kind).toBe("deny");
    for (const line of ["rm -rf ~/.config", "atlasbridge resume"])
      expect(judge(NOTHING, commandPrompt(line)).kind).toBe("ask");
  });

  it("are not touched by looking at what is above them, or by anything else", () => {
    for (const line of [
      "ls /home/ara",
      "ls ..",
      "make build",
      "cat /home/ara/.config/other",
      "ls src/*.ts",
      "rm -rf dist",
    ])
      expect(isAutomatic(commandPrompt(line))).toBe(true);
    expect(isAutomatic(callPrompt("Write", { file_path: "src/a.ts" }))).toBe(true);
  });
});

describe("a choice for more than one prompt", () => {
  it.each([
    "Yes, always",
    "Yes, and don't ask again",
    "Yes, for this session",
    "Allow all edits",
    "Yes, auto-accept",
    "Remember this",
  ])("is known by its words: %s", (label) => expect(isPermanent({ label, intent: "other" })).toBe(true));

  it("is not a plain yes, nor a no", () => {
    expect(isPermanent({ label: "Yes", intent: "allow_once" })).toBe(false);
    expect(isPermanent({ label: "No, don't ask again about it", intent: "reject_once" })).toBe(false);
  });
});
