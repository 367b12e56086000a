/**
 * Situations of every tool that asks before it runs a command: asked, moved, answered, refused, resized, long, deceptive, and a second
 * one. Who adds one here adds it for all tools.
 */
import { inTurn } from "../move.js";
import type { Step } from "../../fake-model/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import type { Player } from "../player.js";
import type { Situation } from "../situation.js";
import { type Differences, type Shared, makeSituations } from "./differ.js";

export const REMOVE = "rm -rf build";

type Wait = (player: Player) => Promise<void>;

export interface CommandTool {
  /** What it calls its tool for commands: the names of its situations begin so. */
  readonly name: string;
  readonly asked: Wait;
  readonly answered: (player: Player, ...keys: readonly string[]) => Promise<void>;
  /** The model wants to run these, at once. */
  readonly call: (...commands: readonly string[]) => readonly Step[];
  readonly yes: string;
  readonly move: readonly string[];
  /** What is waited for behind a key; absent: nothing. */
  readonly until: Readonly<Partial<Record<"moved" | "refused" | "other" | "twin" | "again", Wait>>>;
  readonly long: string;
  /** Many lines that look like its own dialogs. */
  readonly script: string;
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

const behind =
  ({ asked, until }: CommandTool, keys: readonly string[], end: keyof CommandTool["until"]): Wait =>
  async (player) => {
    await asked(player);
    await player.key(...keys);
    await until[end]?.(player);
  };

const LIST = {
  command: ({ asked, call }) => ({
    description: "May a command run",
    model: call(REMOVE),
    play: asked,
  }),
  "command-moved": (tool) => ({
    description: "The highlight was moved to the last row",
    model: tool.call(REMOVE),
    play: behind(tool, tool.move, "moved"),
  }),
  "command-answered": ({ asked, answered, call, yes }) => ({
    description: "A command was allowed at the keyboard",
    model: call(REMOVE),
    play: inTurn(asked, (player) => answered(player, yes)),
  }),
  "command-esc": (tool) => ({
    description: "A command was refused with Esc",
    model: tool.call(REMOVE),
    play: behind(tool, [KEYS.esc], "refused"),
  }),
  "command-resized": ({ asked, call }) => ({
    description: "The terminal became smaller and larger again while a command is asked about",
    model: call(REMOVE),
    play: async (player) => {
      await asked(player);
      await player.resize(100, 30);
      await player.resize(64, 24);
      await player.resize(100, 30);
    },
    sizes: ["120x40", "80x24"],
  }),
  "command-long": ({ asked, call, long }) => ({
    description: "A command longer than the screen is wide",
    model: call(long),
    play: asked,
  }),
  "command-script": ({ asked, call, script }) => ({
    description: "A command of many lines that look like a dialog",
    model: call(script),
    play: asked,
  }),
  "two-second": (tool) => ({
    description: "Two commands: the first was allowed, the second is asked about",
    model: tool.call(REMOVE, "rm -rf dist"),
    play: behind(tool, [tool.yes], "other"),
  }),
  "twins-second": (tool) => ({
    description: "Two equal commands: the first was allowed, the second is asked about",
    model: tool.call(REMOVE, REMOVE),
    play: behind(tool, [tool.yes], "twin"),
  }),
  "again-second": (tool) => ({
    description: "The same command is asked about once more in the next turn",
    model: [...tool.call(REMOVE), ...tool.call(REMOVE)],
    play: behind(tool, [tool.yes], "again"),
  }),
} satisfies Readonly<Record<string, (tool: CommandTool) => Shared>>;

export type CommandName = keyof typeof LIST;

export function makeCommands(tool: CommandTool): readonly Situation[] {
  const situations = makeSituations<CommandName, CommandTool>(LIST, tool, tool.differs ?? {});
  return situations.map((each) => ({ ...each, name: each.name.replace(/^command/, tool.name) }));
}
