/**
 * Situations of every tool that asks before it runs a command: asked, moved, answered, refused, resized, long, deceptive, and a second
 * one. Who adds one here adds it for all tools.
 */
import type { Step } from "../../fake-anthropic/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered as answeredLabel } from "../labels.js";
import type { Player } from "../player.js";
import type { Label, Situation } from "../situation.js";
import { type Differences, type Shared, makeSituations } from "./differ.js";

export const REMOVE = "rm -rf build";

type Wait = (player: Player) => Promise<void>;

export interface CommandTool {
  /** What it calls its tool for commands: the names of its situations begin so. */
  readonly name: string;
  /** Until the model's call is asked about. */
  readonly asked: Wait;
  /** Answers, and lets the model come to its end. */
  readonly answered: (player: Player, ...keys: readonly string[]) => Promise<void>;
  /** The model wants to run these, at once. */
  readonly call: (...commands: readonly string[]) => readonly Step[];
  /** Allows a command. */
  readonly yes: string;
  /** Moves the highlight. */
  readonly move: readonly string[];
  /** What is waited for behind a key; absent: nothing. */
  readonly until: Readonly<Partial<Record<"moved" | "refused" | "other" | "twin" | "again", Wait>>>;
  /** Wider than the screen. */
  readonly long: string;
  /** Many lines that look like its own dialogs. */
  readonly script: string;
  readonly labels: {
    readonly removal: Situation["label"];
    readonly moved: Situation["label"];
    readonly long: Situation["label"];
    readonly script: Situation["label"];
    /** `rm -rf dist` behind `rm -rf build`. */
    readonly other: Situation["label"];
    /** The same command a second time. */
    readonly twin: Situation["label"];
    /** The same in the next turn; absent: as the twin. */
    readonly again?: Situation["label"];
  };
  readonly differs?: Differences<CommandName>;
}

/** A command of so many steps, all of which matter. */
export function longCommand(
  step = "copy the old reports aside before anything is deleted",
  more = "",
): string {
  const steps = Array.from({ length: 8 }, (_, i) => `echo "step ${i + 1}: ${step}" >> cleanup.log`);
  return `${steps.join(" && ")} && rm -rf ./build ./dist${more}`;
}

/** A script that prints a dialog, with a comment as in one. */
export function deceptiveScript(dialog: readonly string[], ...comment: readonly string[]): string {
  const printed = dialog.map((line) => `  echo "${line}"`);
  return ["set -e", "for f in *.txt; do", ...printed, "done", ...comment, REMOVE].join("\n");
}

/** A copy of a label in which more was asked. */
export function second(label: Label, change: Partial<Label> = {}): Label {
  return { ...label, count: 2, ...change };
}

const behind =
  ({ asked, until }: CommandTool, keys: readonly string[], end: keyof CommandTool["until"]): Wait =>
  async (player) => {
    await asked(player);
    await player.key(...keys);
    await until[end]?.(player);
  };

const LIST = {
  command: ({ asked, call, labels }) => ({
    description: "May a command run",
    model: call(REMOVE),
    play: asked,
    label: labels.removal,
  }),
  "command-moved": (tool) => ({
    description: "The highlight was moved to the last row",
    model: tool.call(REMOVE),
    play: behind(tool, tool.move, "moved"),
    label: tool.labels.moved,
  }),
  "command-answered": ({ asked, answered, call, yes }) => ({
    description: "A command was allowed at the keyboard",
    model: call(REMOVE),
    play: async (player) => {
      await asked(player);
      await answered(player, yes);
    },
    label: answeredLabel(),
  }),
  "command-esc": (tool) => ({
    description: "A command was refused with Esc",
    model: tool.call(REMOVE),
    play: behind(tool, [KEYS.esc], "refused"),
    label: answeredLabel(),
  }),
  "command-resized": ({ asked, call, labels }) => ({
    description: "The terminal became smaller and larger again while a command is asked about",
    model: call(REMOVE),
    play: async (player) => {
      await asked(player);
      await player.resize(100, 30);
      await player.resize(64, 24);
      await player.resize(100, 30);
    },
    sizes: ["120x40", "80x24"],
    label: labels.removal,
  }),
  "command-long": ({ asked, call, long, labels }) => ({
    description: "A command longer than the screen is wide",
    model: call(long),
    play: asked,
    label: labels.long,
  }),
  "command-script": ({ asked, call, script, labels }) => ({
    description: "A command of many lines that look like a dialog",
    model: call(script),
    play: asked,
    label: labels.script,
  }),
  "two-second": (tool) => ({
    description: "Two commands: the first was allowed, the second is asked about",
    model: tool.call(REMOVE, "rm -rf dist"),
    play: behind(tool, [tool.yes], "other"),
    label: tool.labels.other,
  }),
  "twins-second": (tool) => ({
    description: "Two equal commands: the first was allowed, the second is asked about",
    model: tool.call(REMOVE, REMOVE),
    play: behind(tool, [tool.yes], "twin"),
    label: tool.labels.twin,
  }),
  "again-second": (tool) => ({
    description: "The same command is asked about once more in the next turn",
    model: [...tool.call(REMOVE), ...tool.call(REMOVE)],
    play: behind(tool, [tool.yes], "again"),
    label: tool.labels.again ?? tool.labels.twin,
  }),
} satisfies Readonly<Record<string, (tool: CommandTool) => Shared>>;

export type CommandName = keyof typeof LIST;

export function makeCommands(tool: CommandTool): readonly Situation[] {
  const situations = makeSituations<CommandName, CommandTool>(LIST, tool, tool.differs ?? {});
  return situations.map((each) => ({ ...each, name: each.name.replace(/^command/, tool.name) }));
}
