/** Commands that codex may run outside of its sandbox only when somebody says so. */
import { inTurn, press } from "../move.js";
import type { Step } from "../../fake-model/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { makeCommands, deceptiveScript, longCommand, REMOVE } from "../shared/commands.js";
import { answered, asked, type CodexSituation, exec } from "./moves.js";

const call = (...commands: readonly string[]): readonly Step[] => [
  { text: "I will remove the build folder.", tools: commands.map((command) => exec(command)) },
];
const removal = call(REMOVE);
const LONG = longCommand(undefined, " ./node_modules");

const requestTool = { options: { tables: ["[features]", "request_permissions_tool = true"] } } as const;
const requests = (reason: string, folders: object): readonly Step[] => {
  const permissions = { network: { enabled: true }, file_system: folders };
  return [{ tools: [{ name: "request_permissions", input: { reason, permissions } }] }];
};

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
});

export const commands: readonly CodexSituation[] = [
  ...family,
  {
    name: "exec-inline",
    description: "May a command run, drawn on the main screen",
    options: { args: ["--no-alt-screen"] },
    model: removal,
    play: asked,
  },
  {
    name: "exec-no",
    description: "A command was refused with its row",
    model: removal,
    play: inTurn(asked, press("3")),
    sizes: ["80x24"],
  },
  {
    name: "exec-long-moved",
    description: "A command longer than the screen is wide, the highlight on its last row",
    model: call(LONG),
    play: inTurn(asked, press(KEYS.up)),
  },
  {
    name: "exec-git",
    description: "A command with a rule that the model proposes",
    model: [{ tools: [exec("git push --force origin main", { prefix_rule: ["git", "push"] })] }],
    play: asked,
  },
  {
    name: "permissions",
    description: "Wider permissions for a turn or a session",
    ...requestTool,
    model: requests("The package cache is outside of the project.", { write: ["/home/dev/cache"] }),
    play: asked,
  },
  {
    name: "rights",
    description: "Network access and a folder to read, for a turn or a session",
    ...requestTool,
    model: requests("Your notes are needed.", { read: ["/home/dev/notes"] }),
    play: asked,
  },
];
