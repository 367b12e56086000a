/**
 * Situations of every tool in which nothing is asked: it works, it waits for a task, an answer only looks like a question, a menu is
 * open. Who adds one here adds it for all tools.
 */
import { inTurn, see, still } from "../move.js";
import type { Step, ToolCall } from "../../fake-model/script.js";
import type { ToolOptions } from "../../real-cli/tool.js";
import { KEYS } from "../../real-cli/terminal.js";
import type { Player } from "../player.js";
import { LOOKALIKES, WORDS } from "../prose.js";
import type { Situation, Size } from "../situation.js";
import { type Differences, type Shared, makeSituations } from "./differ.js";
import type { Hand } from "./hand.js";

export interface SilentTool<Options extends ToolOptions = ToolOptions> {
  readonly hand: Hand;
  /** On the screen as long as it works. */
  readonly busy: RegExp;
  /** A command that runs unasked, with these options. */
  readonly command: (line: string) => ToolCall;
  readonly unasked?: Options;
  /** One of its own dialogs, for a command to print. */
  readonly dialog: string;
  readonly stop?: readonly string[];
  /** The key is refused. */
  readonly unauthorized: Failure;
  /** The model fails, and the tool tries again. */
  readonly retry: Failure;
  /** Arguments that bring back the latest transcript, and what is typed to end the session before. */
  readonly resume: { readonly args: readonly string[]; readonly quit?: string };
  readonly differs?: Differences<SilenceName>;
}

export interface Failure {
  readonly error: NonNullable<Step["error"]>;
  /** What the tool shows then. */
  readonly seen: RegExp;
  /** It is looked at for so long. */
  readonly forMs?: number;
}

const small: { readonly sizes: readonly Size[] } = { sizes: ["80x24"] };
const END = /the end of the list/;
const writes: readonly Step[] = [{ text: WORDS, pace: { chars: 12, everyMs: 150 } }];
const works = { settles: false } as const;

/** The model is told to play its part, and this is seen for a while. */
const until =
  ({ hand }: SilentTool, seen: RegExp, forMs = 0): Situation["play"] =>
  async (player) => {
    await hand.ask(player);
    await player.see(seen);
    await player.wait(forMs);
  };

const typed =
  ({ hand }: SilentTool, text: string, seen = /./): Situation["play"] =>
  async (player) => {
    await hand.ready(player);
    player.type(text);
    await player.see(seen);
    await player.still();
  };

const fails = (tool: SilentTool, { error, seen, forMs }: Failure): Pick<Shared, "model" | "play"> => ({
  model: [{ error }],
  play: until(tool, seen, forMs),
});

const LIST = {
  "no-prompt-idle": ({ hand }) => ({
    description: "The composer waits for a task",
    play: (player) => hand.ready(player),
  }),
  "no-prompt-draft": ({ hand }) => ({
    description: "A task that ends in (y/n) is typed and not sent",
    play: async (player) => {
      await hand.ready(player);
      player.type("please fix the build (y/n)");
      await player.see(/please fix the build/);
    },
  }),
  "no-prompt-streaming": (tool) => ({
    description: "The model writes",
    model: writes,
    play: until(tool, /word40/),
    ...works,
  }),
  "no-prompt-lookalikes-streaming": (tool) => ({
    description: "The model writes text that looks like dialogs",
    model: [{ text: LOOKALIKES, pace: { chars: 60, everyMs: 60 }, hold: true }],
    play: until(tool, END, 1500),
    ...works,
  }),
  "no-prompt-lookalikes-done": ({ hand }) => ({
    description: "A finished answer that looks like dialogs",
    model: [{ text: LOOKALIKES }],
    play: (player) => hand.finished(player, END),
  }),
  "no-prompt-prose-question": ({ hand }) => ({
    description: "The finished answer asks in prose",
    model: [{ text: "I found two old files. Should I go ahead and delete them? (y/n)" }],
    play: (player) => hand.finished(player, /\(y\/n\)/),
  }),
  "no-prompt-stall": (tool) => ({
    description: "A question in prose, but the stream is still open",
    model: [{ text: "Do you want me to continue? [Y/n] ", hold: true }],
    play: until(tool, /\[Y\/n\]/, 3000),
    ...works,
  }),
  "no-prompt-thinking": (tool) => ({
    description: "Nothing came from the model yet",
    model: [{ hold: true }],
    play: until(tool, tool.busy, 2500),
    ...works,
  }),
  "no-prompt-command": (tool) => ({
    description: "A command runs that prints questions",
    ...(tool.unasked && { options: tool.unasked }),
    model: [{ tools: [tool.command('while sleep 1; do echo "Do you want to continue? [Y/n] "; done')] }],
    play: until(tool, /\[Y\/n\]/, 3000),
    ...works,
  }),
  "no-prompt-commands-done": (tool) => ({
    description: "Commands ran that printed questions and choices",
    ...(tool.unasked && { options: tool.unasked }),
    model: [
      { tools: [tool.command(`printf 'Overwrite? (y/n)\\n${tool.dialog}\\n'`)] },
      { text: "The script asks these questions." },
    ],
    play: (player) => tool.hand.finished(player, /asks these questions/),
  }),
  "no-prompt-interrupted": (tool) => ({
    description: "Esc stopped the model",
    model: writes,
    play: async (player) => {
      await until(tool, /word10/)(player);
      await player.key(...(tool.stop ?? [KEYS.esc]));
      await player.still(1500);
    },
    ...small,
  }),
  "no-prompt-queued": (tool) => ({
    description: "A second task was sent while the model writes",
    model: writes,
    play: async (player) => {
      await until(tool, /word10/)(player);
      player.type("then run the tests (y/n)");
      await player.wait(600);
      await player.key(KEYS.enter);
    },
    ...small,
    ...works,
  }),
  "no-prompt-unauthorized": (tool) => ({
    description: "The key is refused",
    ...fails(tool, tool.unauthorized),
  }),
  "no-prompt-retry": (tool) => ({
    description: "The model is out of order: another try",
    ...fails(tool, tool.retry),
    ...works,
  }),
  "no-prompt-resumed": ({ hand, resume: { args, quit } }) => ({
    description: "A transcript with an old question was resumed",
    model: [{ text: LOOKALIKES }],
    before: { play: (player) => read(player, hand, quit) },
    options: { args },
    play: inTurn(see(END, 60_000), still(1200)),
  }),
  "no-prompt-slash-menu": (tool) => ({
    description: "The user opened the list of commands",
    play: typed(tool, "/"),
  }),
  "no-prompt-files": (tool) => ({
    description: "The user looks for a file with @",
    play: typed(tool, "look at @app", /app\.py/),
    ...small,
  }),
  "no-prompt-shortcuts": (tool) => ({
    description: "The user opened the list of shortcuts",
    play: typed(tool, "?"),
    ...small,
  }),
} satisfies Readonly<Record<string, (tool: SilentTool) => Shared>>;

export type SilenceName = keyof typeof LIST;

async function read(player: Player, hand: Hand, quit: string | undefined): Promise<void> {
  await hand.finished(player, END);
  if (quit === undefined) return;
  await player.say(quit);
  await player.wait(1500);
}

export function makeSilences<Options extends ToolOptions>(tool: SilentTool<Options>): readonly Situation[] {
  return makeSituations<SilenceName, SilentTool>(LIST, tool, tool.differs ?? {});
}
