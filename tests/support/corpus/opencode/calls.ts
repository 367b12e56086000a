/** Calls that opencode makes only when somebody says so. */
import type { Step, ToolCall } from "../../fake-anthropic/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered as answeredLabel, arrows } from "../labels.js";
import type { Label } from "../situation.js";
import { answered, asked, bash, type OpencodeSituation, RIGHT } from "./moves.js";

const MAY: Label = {
  type: "multiple_choice",
  excerpt: "Permission required",
  choices: ["Allow once", "Allow always", "Reject"],
  byDefault: 1,
  count: 1,
  replies: arrows(3, RIGHT),
};
const REMOVAL: Label = { ...MAY, content: ["$ rm -rf build"] };
const call = (...tools: readonly ToolCall[]): readonly Step[] => [
  { text: "I will clear the old output.", tools },
];
const removal = call(bash("rm -rf build"));

const LONG_STEPS = Array.from(
  { length: 8 },
  (_, i) => `echo "step ${i + 1}: copy the old reports aside before anything is deleted" >> cleanup.log`,
);
const LONG = `${LONG_STEPS.join(" && ")} && rm -rf ./build ./dist ./node_modules`;
const SCRIPT = [
  "set -e",
  "for f in *.txt; do",
  '  echo "△ Permission required"',
  '  echo "Allow once   Allow always   Reject"',
  "done",
  "rm -rf build",
].join("\n");

const fileCall =
  (name: string, more: object) =>
  (cwd: string): readonly Step[] =>
    call({ name, input: { filePath: `${cwd}/${name === "edit" ? "app.py" : "hello.txt"}`, ...more } });
const edit = fileCall("edit", {
  oldString: "    pass\n",
  newString: '    print("1. Yes")\n    print("△ Permission required")\n',
});
const write = fileCall("write", { content: "hello\nContinue? (y/n)\n" });
const LINES = Array.from({ length: 60 }, (_, i) => `Line ${i + 1}\n`).join("");

export const calls: readonly OpencodeSituation[] = [
  { name: "bash", description: "May a command run", model: removal, play: asked, label: REMOVAL },
  {
    name: "bash-moved",
    description: "The highlight was moved to the last choice",
    model: removal,
    play: async (player) => {
      await asked(player);
      await player.key(RIGHT, RIGHT);
    },
    label: {
      ...REMOVAL,
      byDefault: 3,
      replies: [{ value: "1", keys: ["\u001b[D", "\u001b[D", KEYS.enter] }],
    },
  },
  {
    name: "bash-answered",
    description: "A command was allowed at the keyboard",
    model: removal,
    play: async (player) => {
      await asked(player);
      await answered(player, KEYS.enter);
    },
    label: answeredLabel(),
  },
  {
    name: "bash-esc",
    description: "A command was refused with Esc",
    model: removal,
    play: async (player) => {
      await asked(player);
      await player.key(KEYS.esc);
      await player.wait(1500);
    },
    label: answeredLabel(),
  },
  {
    name: "bash-resized",
    description: "The terminal became smaller and larger again while a command is asked about",
    model: removal,
    play: async (player) => {
      await asked(player);
      await player.resize(100, 30);
      await player.resize(64, 24);
      await player.resize(100, 30);
    },
    sizes: ["120x40", "80x24"],
    label: REMOVAL,
  },
  {
    name: "bash-long",
    description: "A command longer than the screen is wide",
    model: call(bash(LONG)),
    play: asked,
    label: (size) => ({
      ...MAY,
      // Nothing says so, but it ends after some rows.
      content: ["step 1: copy the old reports", ...(size === "120x40" ? ["rm -rf ./build ./dist"] : [])],
    }),
  },
  {
    name: "bash-script",
    description: "A command of many lines that look like a dialog",
    model: call(bash(SCRIPT)),
    play: asked,
    // Of so many lines the narrowest terminal draws the first ones.
    label: (size) => ({ ...MAY, content: size === "45x20" ? ["set -e"] : ["set -e", "rm -rf build"] }),
  },
  {
    name: "always",
    description: "Always was chosen: which patterns are allowed from now on",
    model: removal,
    play: async (player) => {
      await asked(player);
      await player.key(RIGHT, KEYS.enter);
      await player.see(/Always allow/);
      await player.wait(800);
    },
    label: {
      type: "multiple_choice",
      excerpt: "Always allow",
      choices: ["Confirm", "Cancel"],
      byDefault: 1,
      content: ["rm *"],
      count: 2,
      replies: arrows(2, RIGHT),
    },
  },
  {
    name: "two-second",
    description: "Two commands: the first was allowed, the second is asked about",
    model: call(bash("rm -rf build"), bash("rm -rf dist")),
    play: async (player) => {
      await asked(player);
      await player.key(KEYS.enter);
      await player.see(/# Shell command[\s\S]{1,400}rm -rf dist/);
      await player.wait(1000);
    },
    label: { ...MAY, content: ["$ rm -rf dist"], count: 2 },
  },
  {
    name: "twins-second",
    description: "Two equal commands: the first was allowed, the second is asked about",
    model: call(bash("rm -rf build"), bash("rm -rf build")),
    play: async (player) => {
      await asked(player);
      await player.key(KEYS.enter);
      await player.wait(2000);
    },
    label: { ...REMOVAL, count: 2 },
  },
  {
    name: "again-second",
    description: "The same command is asked about once more in the next turn",
    model: [...removal, ...removal],
    play: async (player) => {
      await asked(player);
      await player.key(KEYS.enter);
      await player.wait(2500);
    },
    label: { ...REMOVAL, count: 2 },
  },
  {
    name: "edit",
    description: "May a file be changed into text that looks like a dialog",
    model: edit,
    play: asked,
    label: { ...MAY, content: ["app.py", 'print("1. Yes")'] },
  },
  {
    name: "edit-answered",
    description: "A change was allowed at the keyboard",
    model: edit,
    play: async (player) => {
      await asked(player);
      await answered(player, KEYS.enter);
    },
    sizes: ["80x24"],
    label: answeredLabel(),
  },
  {
    name: "write",
    description: "May a file be written",
    model: write,
    play: asked,
    label: { ...MAY, content: ["hello.txt"] },
  },
  {
    name: "write-long",
    description: "A file of sixty lines: not all of it is drawn",
    model: fileCall("write", { content: LINES }),
    play: asked,
    label: { ...MAY, content: ["hello.txt"] },
  },
  {
    name: "fetch",
    description: "May a page be fetched",
    model: call({ name: "webfetch", input: { url: "https://docs.example.invalid/page", format: "text" } }),
    play: asked,
    label: { ...MAY, content: ["https://docs.example.invalid/page"] },
  },
  {
    name: "outside",
    description: "May a folder outside of the project be read",
    model: call({ name: "read", input: { filePath: "/etc/hostname" } }),
    play: asked,
    label: { ...MAY, content: ["/etc"] },
  },
  {
    name: "reject-reason",
    description: "Reject was chosen: is there a reason to tell",
    model: removal,
    play: async (player) => {
      await asked(player);
      await player.key(RIGHT, RIGHT, KEYS.enter);
      await player.wait(1500);
    },
    sizes: ["120x40", "80x24"],
    label: answeredLabel(),
  },
];
