/** Commands that codex may run outside of its sandbox only when somebody says so. */
import type { Step } from "../../fake-anthropic/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered as answeredLabel, digits } from "../labels.js";
import { makeCommands, deceptiveScript, longCommand, REMOVE, second } from "../shared/commands.js";
import type { Label, Size } from "../situation.js";
import { answered, asked, type CodexSituation, exec } from "./moves.js";

const RUN = "Would you like to run the following command?";
const YES = "Yes, proceed (y)";
const NO = "No, and tell Codex what to do differently (esc)";
const always = (command: string): string =>
  `Yes, and don't ask again for commands that start with \`${command}\` (p)`;

function may(command: string, rule = command): Label {
  return {
    type: "multiple_choice",
    excerpt: RUN,
    choices: [YES, always(rule), NO],
    byDefault: 1,
    content: [`$ ${command}`, "Reason: Clear out old build output?"],
    count: 1,
    replies: digits(3),
  };
}

const call = (...commands: readonly string[]): readonly Step[] => [
  { text: "I will remove the build folder.", tools: commands.map((command) => exec(command)) },
];
const removal = call(REMOVE);
const REMOVAL = may(REMOVE);
const LONG = longCommand(undefined, " ./node_modules");

const requestTool = { options: { tables: ["[features]", "request_permissions_tool = true"] } } as const;
const requests = (reason: string, folders: object): readonly Step[] => {
  const permissions = { network: { enabled: true }, file_system: folders };
  return [{ tools: [{ name: "request_permissions", input: { reason, permissions } }] }];
};

const SESSION = "Yes, grant these permissions for this session (a)";

/** On the smallest screen the last row is not drawn, and what is drawn of the third may be cut; a key stands for the last. */
function grant(size: Size, third: string, ...content: readonly string[]): Label {
  const isTorn = size === "45x20";
  return {
    type: "multiple_choice",
    excerpt: "Would you like to grant these permissions?",
    choices: [
      "Yes, grant these permissions for this turn (y)",
      "Yes, grant for this turn with strict auto review (r)",
      isTorn ? third : SESSION,
      isTorn ? "No (Esc)" : "No, continue without permissions (d)",
    ],
    byDefault: 1,
    content,
    count: 1,
    replies: isTorn ? [{ value: "4", keys: [KEYS.esc] }] : digits(4),
  };
}

const family = makeCommands({
  name: "exec",
  asked,
  answered,
  call,
  yes: "1",
  move: [KEYS.down, KEYS.down],
  until: {
    other: (player) => player.see(/\$ rm -rf dist/),
    again: (player) => player.still(1500),
  },
  long: LONG,
  script: deceptiveScript(
    ["1. Yes", "› 2. No, and tell Codex (esc)"],
    "# Press enter to confirm or esc to cancel",
  ),
  labels: {
    removal: REMOVAL,
    moved: { ...REMOVAL, byDefault: 3 },
    long: (size) => ({
      type: "multiple_choice",
      excerpt: RUN,
      byDefault: 1,
      count: 1,
      ...(size !== "45x20" && {
        content: ["step 8: copy the old reports aside", "rm -rf ./build ./dist ./node_modules"],
      }),
    }),
    script: {
      type: "multiple_choice",
      excerpt: RUN,
      choices: [YES, NO],
      byDefault: 1,
      content: ["for f in *.txt", "# Press enter to confirm", REMOVE],
      count: 1,
      replies: digits(2),
    },
    other: second(may("rm -rf dist")),
    twin: second(REMOVAL),
  },
});

export const commands: readonly CodexSituation[] = [
  ...family,
  {
    name: "exec-inline",
    description: "May a command run, drawn on the main screen",
    options: { args: ["--no-alt-screen"] },
    model: removal,
    play: asked,
    label: REMOVAL,
  },
  {
    name: "exec-no",
    description: "A command was refused with its row",
    model: removal,
    play: async (player) => {
      await asked(player);
      await player.key("3");
    },
    sizes: ["80x24"],
    label: answeredLabel(),
  },
  {
    name: "exec-long-moved",
    description: "A command longer than the screen is wide, the highlight on its last row",
    model: call(LONG),
    play: async (player) => {
      await asked(player);
      await player.key(KEYS.up);
    },
    label: { type: "multiple_choice", excerpt: RUN, count: 1 },
  },
  {
    name: "exec-git",
    description: "A command with a rule that the model proposes",
    model: [{ tools: [exec("git push --force origin main", { prefix_rule: ["git", "push"] })] }],
    play: asked,
    label: may("git push --force origin main", "git push"),
  },
  {
    name: "permissions",
    description: "Wider permissions for a turn or a session",
    ...requestTool,
    model: requests("The package cache is outside of the project.", { write: ["/home/dev/cache"] }),
    play: asked,
    label: (size) =>
      grant(
        size,
        "Yes, grant these permissions for this",
        "network; write `/home/dev/cache`",
        "The package cache is outside of the project.",
      ),
  },
  {
    name: "rights",
    description: "Network access and a folder to read, for a turn or a session",
    ...requestTool,
    model: requests("Your notes are needed.", { read: ["/home/dev/notes"] }),
    play: asked,
    label: (size) => grant(size, SESSION, "network; read `/home/dev/notes`"),
  },
];
