/** What a person does in one long session of claude. Its corpus was recorded by version; these are played again, live. */
import type { Step, ToolCall } from "../fake-model/script.js";
import { scenarios } from "../fake-model/scenarios.js";
import type { Player } from "../corpus/player.js";
import { LOOKALIKES, WORDS } from "../corpus/prose.js";
import type { Situation } from "../corpus/situation.js";
import { KEYS } from "../real-cli/terminal.js";
import type { Label, LiveSituation } from "./log.js";

const COMPOSER = /^❯\u00a0/m;
const DIALOG = /^ {0,4}❯ 1\. /m;

const bash = (command: string): ToolCall => ({
  name: "Bash",
  input: { command, description: "Clear out old build output" },
});
const ASKS: Label = { type: "multiple_choice", count: 1 };
const MAY: Label = { ...ASKS, replies: [] };
/** It was asked once, and answered at the keyboard. */
const ANSWERED: Label = { type: null, count: 1 };
const SILENT: Label = { type: null, count: 0 };

async function ask(player: Player): Promise<void> {
  await player.see(COMPOSER);
  await player.still();
  await player.say(`please run ${player.token}`);
}

async function asked(player: Player): Promise<void> {
  await ask(player);
  await player.see(DIALOG);
  await player.still();
}

async function done(player: Player): Promise<void> {
  await player.see(/All done\.|for \d{1,3}s · done/);
  await player.still();
}

/** Until the model has said so much. */
function until(words: RegExp): Situation["play"] {
  return async (player) => {
    await ask(player);
    await player.see(words);
    await player.wait(1500);
  };
}

function thenKeys(...keys: readonly string[]): Situation["play"] {
  return async (player) => {
    await asked(player);
    await player.key(...keys);
    await done(player);
  };
}

function opened(command: string): Situation["play"] {
  return async (player) => {
    await player.see(COMPOSER);
    await player.still();
    await player.say(command);
    await player.still();
  };
}

const commands = [
  "rm -rf build",
  "git push --force",
  "npm publish",
  "touch a.txt b.txt",
  "echo 'Continue? (y/n)'",
];

const permissions: readonly LiveSituation[] = commands.flatMap((command, index): LiveSituation[] => {
  const model: readonly Step[] = [{ text: "I will do that.", tools: [bash(command)] }];
  const name = `bash-${index + 1}`;
  return [
    { name, description: `May this run: ${command}`, model, play: asked, label: MAY },
    {
      name: `${name}-esc`,
      description: `${command}: refused with Esc`,
      model,
      play: async (player) => {
        await asked(player);
        await player.key(KEYS.esc);
        await player.still();
      },
      label: ANSWERED,
    },
    {
      name: `${name}-yes`,
      description: `${command}: allowed at the keyboard`,
      model: [{ tools: [bash(`touch yes-${index}.txt`)] }],
      play: thenKeys("1"),
      label: ANSWERED,
    },
  ];
});

/** The fake model's own scenarios that ask once. */
const standard: readonly LiveSituation[] = (
  [
    ["bash-long", "A command longer than the screen is wide"],
    ["write", "May a file be written"],
    ["edit", "May a file be changed into text that looks like a dialog"],
    ["webfetch", "May a page be fetched"],
    ["ask", "A question with choices"],
    ["ask-multi", "A question with tick boxes"],
  ] as const
).map(([name, description]) => ({
  name,
  description,
  model: (cwd: string) => scenarios[name]!({ cwd, planFile: null }),
  play: asked,
  label: name.startsWith("ask") ? ASKS : MAY,
}));

const twice = async (player: Player): Promise<void> => {
  await asked(player);
  await player.key("1");
  await player.wait(2500);
};

const stacked: readonly LiveSituation[] = [
  {
    name: "bash-two",
    description: "Two commands: the first was allowed, the second is asked about",
    model: [{ tools: [bash("rm -rf build"), bash("rm -rf dist")] }],
    play: twice,
    label: { ...MAY, count: 2 },
  },
  {
    name: "bash-twins",
    description: "Two equal commands: the first was allowed, the second is asked about",
    model: [{ tools: [bash("rm -rf build"), bash("rm -rf build")] }],
    play: twice,
    label: { ...MAY, count: 2 },
  },
  {
    name: "bash-again",
    description: "The same command is asked about once more in the next step",
    model: [{ tools: [bash("rm -rf build")] }, { tools: [bash("rm -rf build")] }],
    play: twice,
    label: { ...MAY, count: 2 },
  },
  {
    name: "bash-resized",
    description: "The window became smaller and larger again while a command is asked about",
    model: [{ tools: [bash("rm -rf build")] }],
    play: async (player) => {
      await asked(player);
      await player.resize(100, 30);
      await player.resize(64, 24);
      await player.resize(120, 40);
    },
    label: MAY,
  },
];

const silences: readonly LiveSituation[] = [
  {
    name: "idle",
    description: "The composer waits for a task",
    play: (p) => p.still(),
    label: SILENT,
  },
  {
    name: "plain",
    description: "A short answer",
    model: [{ text: "This is a plain answer." }],
    play: until(/plain answer/),
    label: SILENT,
  },
  {
    name: "prose-question",
    description: "The finished answer asks in prose",
    model: [{ text: "I found two old files. Should I go ahead and delete them? (y/n)" }],
    play: until(/\(y\/n\)/),
    label: SILENT,
  },
  {
    name: "lookalikes",
    description: "A finished answer that looks like dialogs",
    model: [{ text: LOOKALIKES }],
    play: until(/the end of the list/),
    label: SILENT,
  },
  {
    name: "lookalikes-streaming",
    description: "The model writes text that looks like dialogs",
    model: [{ text: LOOKALIKES, pace: { chars: 60, everyMs: 60 }, hold: true }],
    play: until(/the end of the list/),
    settles: false,
    label: SILENT,
  },
  {
    name: "streaming",
    description: "A long answer is written",
    model: [{ text: WORDS, pace: { chars: 24, everyMs: 120 } }],
    play: until(/word60/),
    settles: false,
    label: SILENT,
  },
  {
    name: "stall",
    description: "A question in prose, but the stream is still open",
    model: [{ text: "Do you want me to continue? [Y/n] ", hold: true }],
    play: until(/\[Y\/n\]/),
    settles: false,
    label: SILENT,
  },
  {
    name: "overloaded",
    description: "The model is out of order: another try",
    model: [{ error: { status: 529, type: "overloaded_error", message: "Overloaded" } }],
    play: until(/retrying in/),
    settles: false,
    label: SILENT,
  },
  {
    name: "draft",
    description: "A task that ends in (y/n) is typed and not sent",
    play: async (player) => {
      await player.see(COMPOSER);
      player.type("please fix the build (y/n)");
      await player.still();
    },
    label: SILENT,
  },
  {
    name: "slash-menu",
    description: "The user opened the list of commands",
    play: async (player) => {
      await player.see(COMPOSER);
      player.type("/");
      await player.still();
    },
    label: SILENT,
  },
  { name: "model-menu", description: "The user opened /model", play: opened("/model"), label: SILENT },
  { name: "config-menu", description: "The user opened /config", play: opened("/config"), label: SILENT },
  { name: "theme-menu", description: "The user opened /theme", play: opened("/theme"), label: SILENT },
  {
    name: "permissions-menu",
    description: "The user opened /permissions",
    play: opened("/permissions"),
    label: SILENT,
  },
];

export const situations: readonly LiveSituation[] = [...permissions, ...standard, ...stacked, ...silences];
