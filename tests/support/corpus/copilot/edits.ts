/** Files that copilot's model wants to write. */
import { inTurn } from "../move.js";
import type { Step } from "../../fake-model/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered, asked, call, type CopilotSituation, afterwards } from "./moves.js";

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
  },
  {
    name: "create-answered",
    description: "A file was allowed at the keyboard",
    model: small,
    play: inTurn(asked, (player) => answered(player, KEYS.enter)),
    sizes: ["80x24"],
  },
  {
    name: "create-long",
    description: "May a file be written that is longer than the screen",
    model: create("list.txt", LINES),
    play: asked,
  },
  {
    name: "edit",
    description: "May a file be changed into text that looks like a dialog",
    model: replaced,
    play: asked,
  },
  {
    name: "edit-esc",
    description: "A change was refused with Esc",
    model: replaced,
    play: afterwards(KEYS.esc),
    sizes: ["80x24"],
  },
  {
    name: "edit-long",
    description: "A change of many lines",
    model: edit(Array.from({ length: 50 }, (_, i) => `print(${i + 1})`)),
    play: asked,
  },
];
