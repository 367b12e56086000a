/** Changes of files that gemini makes only when somebody says so. */
import { inTurn, press, see } from "../move.js";
import type { Step } from "../../fake-model/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered, asked, type GeminiSituation, write } from "./moves.js";

const newFile: readonly Step[] = [
  { text: "I will add a file.", tools: [write("hello.txt", "hello\nContinue? (y/n)\n")] },
];
const replacement = (cwd: string): readonly Step[] => [
  {
    tools: [
      {
        name: "replace",
        input: {
          file_path: `${cwd}/app.py`,
          instruction: "Print the choices",
          old_string: "    pass\n",
          new_string: '    print("1. Yes")\n    print("● 2. No")\n',
        },
      },
    ],
  },
];

export const edits: readonly GeminiSituation[] = [
  {
    name: "write",
    description: "May a file be written",
    model: newFile,
    play: asked,
  },
  {
    name: "write-answered",
    description: "A file was allowed at the keyboard",
    model: newFile,
    play: inTurn(asked, (player) => answered(player, "1")),
    sizes: ["120x40", "80x24"],
  },
  {
    name: "write-long",
    description: "A file of sixty lines: not all of it is drawn",
    model: [{ tools: [write("notes.md", Array.from({ length: 60 }, (_, i) => `Line ${i + 1}\n`).join(""))] }],
    play: asked,
  },
  {
    name: "replace",
    description: "May a file be changed into text that looks like a dialog",
    model: replacement,
    play: asked,
  },
  {
    name: "replace-esc",
    description: "A change was refused with Esc",
    model: replacement,
    play: inTurn(asked, press(KEYS.esc), see(/Request cancelled/)),
    sizes: ["80x24"],
  },
];
