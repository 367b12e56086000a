/** Files that copilot's model wants to write. */
import type { Step } from "../../fake-anthropic/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered as answeredLabel } from "../labels.js";
import type { Label } from "../situation.js";
import { answered, asked, call, type CopilotSituation, afterwards } from "./moves.js";

const CHOICES = [
  "Yes",
  "Yes, and don't ask again for file operations when in this repo (~/proj)",
  "No, and tell Copilot what to do differently (Esc to stop)",
];
const may = (what: string, ...content: readonly string[]): Label => ({
  type: "multiple_choice",
  excerpt: `Do you want to ${what}`,
  choices: CHOICES,
  byDefault: 1,
  content,
  count: 1,
  replies: [
    { value: "1", keys: ["1"] },
    { value: "3", keys: [KEYS.esc] },
  ],
});

const create =
  (file: string, text: string) =>
  (cwd: string): readonly Step[] =>
    call({ name: "create", input: { path: `${cwd}/${file}`, file_text: text } });
const edit =
  (lines: readonly string[]) =>
  (cwd: string): readonly Step[] =>
    call({
      name: "edit",
      input: {
        path: `${cwd}/app.py`,
        old_str: "    pass\n",
        new_str: lines.map((line) => `    ${line}\n`).join(""),
      },
    });
const small = create("hello.txt", "hello\nContinue? (y/n)\n");
const LINES = Array.from({ length: 60 }, (_, i) => `Line ${i + 1}\n`).join("");
const replaced = edit(['print("1. Yes")', 'print("❯ 2. No")']);

export const edits: readonly CopilotSituation[] = [
  {
    name: "create",
    description: "May a file be written",
    model: small,
    play: asked,
    label: may("create", "hello.txt", "Continue? (y/n)"),
  },
  {
    name: "create-answered",
    description: "A file was allowed at the keyboard",
    model: small,
    play: async (player) => {
      await asked(player);
      await answered(player, KEYS.enter);
    },
    sizes: ["80x24"],
    label: answeredLabel(),
  },
  {
    name: "create-long",
    description: "May a file be written that is longer than the screen",
    model: create("list.txt", LINES),
    play: asked,
    // What does not fit has left the screen above.
    label: may("create", "Line 60"),
  },
  {
    name: "edit",
    description: "May a file be changed into text that looks like a dialog",
    model: replaced,
    play: asked,
    label: (size) => may("edit", 'print("❯ 2. No")', ...(size === "45x20" ? [] : ["app.py"])),
  },
  {
    name: "edit-esc",
    description: "A change was refused with Esc",
    model: replaced,
    play: afterwards(KEYS.esc),
    sizes: ["80x24"],
    label: answeredLabel(),
  },
  {
    name: "edit-long",
    description: "A change of many lines",
    model: edit(Array.from({ length: 50 }, (_, i) => `print(${i + 1})`)),
    play: asked,
    label: may("edit", "print(50)"),
  },
];
