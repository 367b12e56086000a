/** Calls that opencode makes only when somebody says so. */
import type { Step, ToolCall } from "../../fake-anthropic/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered as answeredLabel, arrows } from "../labels.js";
import { makeCommands, deceptiveScript, longCommand, REMOVE, second } from "../shared/commands.js";
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
const removal = call(bash(REMOVE));

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

const commands = makeCommands({
  name: "bash",
  asked,
  answered,
  call: (...lines) => call(...lines.map(bash)),
  yes: KEYS.enter,
  move: [RIGHT, RIGHT],
  until: {
    refused: (player) => player.wait(1500),
    other: async (player) => {
      await player.see(/# Shell command[\s\S]{1,400}rm -rf dist/);
      await player.wait(1000);
    },
    twin: (player) => player.wait(2000),
    again: (player) => player.wait(2500),
  },
  long: longCommand(undefined, " ./node_modules"),
  script: deceptiveScript(["△ Permission required", "Allow once   Allow always   Reject"]),
  labels: {
    removal: REMOVAL,
    moved: {
      ...REMOVAL,
      byDefault: 3,
      replies: [{ value: "1", keys: ["\u001b[D", "\u001b[D", KEYS.enter] }],
    },
    long: (size) => ({
      ...MAY,
      // Nothing says so, but it ends after some rows.
      content: ["step 1: copy the old reports", ...(size === "120x40" ? ["rm -rf ./build ./dist"] : [])],
    }),
    // Of so many lines the narrowest terminal draws the first ones.
    script: (size) => ({ ...MAY, content: size === "45x20" ? ["set -e"] : ["set -e", REMOVE] }),
    other: second(MAY, { content: ["$ rm -rf dist"] }),
    twin: second(REMOVAL),
  },
  differs: { "command-moved": { description: "The highlight was moved to the last choice" } },
});

/** An agent of the model's own does it. */
const helped = (name: string): readonly Step[] =>
  call({
    name: "task",
    input: {
      description: "Clear the old output",
      prompt: `Clear the old output. [[${name}-helper]]`,
      subagent_type: "general",
    },
  });

export const calls: readonly OpencodeSituation[] = [
  ...commands,
  {
    name: "push-twice-second",
    description: "Two equal pushes: the first was allowed, the second is asked about",
    model: call(bash("git push origin main"), bash("git push origin main")),
    play: async (player) => {
      await asked(player);
      await player.key(KEYS.enter);
      await player.wait(2000);
    },
    label: second(MAY, { content: ["$ git push origin main"] }),
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
  {
    name: "task",
    description: "May an agent that the model started run a command",
    model: helped("task"),
    helper: removal,
    play: asked,
    label: REMOVAL,
  },
  {
    name: "task-reject",
    description: "The call of an agent that the model started was rejected: what is it to do instead",
    model: helped("task-reject"),
    helper: removal,
    play: async (player) => {
      await asked(player);
      await player.key(RIGHT, RIGHT, KEYS.enter);
      await player.see(/Reject permission/);
      await player.wait(800);
    },
    label: { type: "free_text", excerpt: "Reject permission", count: 2 },
  },
];
