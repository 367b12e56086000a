/** Changes of files that codex may make in a read-only sandbox only when somebody says so. */
import { inTurn, press } from "../move.js";
import type { Step } from "../../fake-model/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered, asked, type CodexSituation, patch } from "./moves.js";

const readOnly = { options: { sandbox: "read-only" } } as const;

const call = (...lines: readonly string[]): readonly Step[] => [
  { text: "I will change the files.", tools: [patch(...lines)] },
];
const newFile = call("*** Add File: hello.txt", "+hello", "+Continue? (y/n)");

export const edits: readonly CodexSituation[] = [
  {
    name: "patch",
    description: "May a file be added",
    ...readOnly,
    model: newFile,
    play: asked,
  },
  {
    name: "patch-answered",
    description: "An edit was allowed at the keyboard",
    ...readOnly,
    model: newFile,
    play: inTurn(asked, (player) => answered(player, "1")),
  },
  {
    name: "patch-esc",
    description: "An edit was refused with Esc",
    ...readOnly,
    model: newFile,
    play: inTurn(asked, press(KEYS.esc)),
    sizes: ["80x24"],
  },
  {
    name: "edit",
    description: "May a file be changed into text that looks like a dialog",
    ...readOnly,
    model: call(
      "*** Update File: app.py",
      "@@",
      " def main():",
      "-    pass",
      '+    print("1. Yes")',
      '+    print("› 2. No")',
    ),
    play: asked,
  },
  {
    name: "edit-long",
    description: "A new file of sixty lines: not all of it is drawn",
    ...readOnly,
    model: call("*** Add File: notes.md", ...Array.from({ length: 60 }, (_, i) => `+Line ${i + 1}`)),
    play: asked,
  },
  {
    name: "add-two-files",
    description: "May a file be added and another be changed",
    ...readOnly,
    model: call(
      "*** Add File: hello.txt",
      "+hello",
      "*** Update File: src/index.ts",
      "@@",
      "-export {};",
      "+export const answer = 42;",
    ),
    play: asked,
  },
  {
    name: "delete-file",
    description: "May a file be deleted",
    ...readOnly,
    model: call("*** Delete File: app.py"),
    play: asked,
  },
];
