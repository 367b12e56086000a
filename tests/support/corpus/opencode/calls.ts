/** Calls that opencode makes only when somebody says so. */
import { inTurn, press, see, wait } from "../move.js";
import type { Step, ToolCall } from "../../fake-model/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { makeCommands, deceptiveScript, longCommand, REMOVE } from "../shared/commands.js";
import { answered, asked, bash, type OpencodeSituation, RIGHT } from "./moves.js";

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
    play: inTurn(asked, press(KEYS.enter), wait(2000)),
  },
  {
    name: "always",
    description: "Always was chosen: which patterns are allowed from now on",
    model: removal,
    play: inTurn(asked, press(RIGHT, KEYS.enter), see(/Always allow/), wait(800)),
  },
  {
    name: "edit",
    description: "May a file be changed into text that looks like a dialog",
    model: edit,
    play: asked,
  },
  {
    name: "edit-answered",
    description: "A change was allowed at the keyboard",
    model: edit,
    play: inTurn(asked, (player) => answered(player, KEYS.enter)),
    sizes: ["80x24"],
  },
  {
    name: "write",
    description: "May a file be written",
    model: write,
    play: asked,
  },
  {
    name: "write-long",
    description: "A file of sixty lines: not all of it is drawn",
    model: fileCall("write", { content: LINES }),
    play: asked,
  },
  {
    name: "fetch",
    description: "May a page be fetched",
    model: call({ name: "webfetch", input: { url: "https://docs.example.invalid/page", format: "text" } }),
    play: asked,
  },
  {
    name: "outside",
    description: "May a folder outside of the project be read",
    model: call({ name: "read", input: { filePath: "/etc/hostname" } }),
    play: asked,
  },
  {
    name: "reject-reason",
    description: "Reject was chosen: is there a reason to tell",
    model: removal,
    play: inTurn(asked, press(RIGHT, RIGHT, KEYS.enter), wait(1500)),
    sizes: ["120x40", "80x24"],
  },
  {
    name: "task",
    description: "May an agent that the model started run a command",
    model: helped("task"),
    helper: removal,
    play: asked,
  },
  {
    name: "task-reject",
    description: "The call of an agent that the model started was rejected: what is it to do instead",
    model: helped("task-reject"),
    helper: removal,
    play: inTurn(asked, press(RIGHT, RIGHT, KEYS.enter), see(/Reject permission/), wait(800)),
  },
];
