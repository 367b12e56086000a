/** What copilot's model wants to do: commands, addresses, paths, and the tools of an MCP server. */
import { inTurn } from "../move.js";
import { KEYS } from "../../real-cli/terminal.js";
import type { Player } from "../player.js";
import { makeCommands, deceptiveScript, longCommand, REMOVE } from "../shared/commands.js";
import { answered, asked, bash, call, type CopilotSituation, afterwards, withMcp } from "./moves.js";

const removal = call(bash(REMOVE));

const deploy = call({
  name: "ops-deploy",
  input: { target: "production", dry_run: false, note: "Continue? (y/n)" },
});

const still = (player: Player): Promise<void> => player.still(1500);
const commands = makeCommands({
  name: "shell",
  asked,
  answered,
  call: (...lines) => call(...lines.map(bash)),
  yes: "1",
  move: [KEYS.down],
  until: { moved: still, refused: still, other: still, twin: still, again: still },
  long: longCommand("copy the old reports aside"),
  script: deceptiveScript(
    ["❯ 1. Yes", "  2. No (Esc)"],
    "# ↑/↓ to navigate · enter to select · esc to cancel",
  ),
  differs: { "command-moved": { description: "The highlight was moved to the second row" } },
});

export const calls: readonly CopilotSituation[] = [
  ...commands,
  {
    name: "shell-no",
    description: "The row for a reason is open, nothing is typed",
    model: removal,
    play: afterwards("3"),
  },
  {
    name: "shell-no-typed",
    description: "A reason is typed and not sent",
    model: removal,
    play: afterwards("3", "u", "s", "e"),
    sizes: ["80x24"],
  },
  {
    name: "two",
    description: "The first of two commands",
    model: call(bash(REMOVE), bash("rm -rf dist")),
    play: asked,
  },
  {
    name: "url",
    description: "May an address be reached by a command",
    model: call(bash("curl -s https://docs.example.invalid/page")),
    play: asked,
  },
  {
    name: "path",
    description: "May a file outside of the project be read",
    model: call({ name: "view", input: { path: "/etc/hostname" } }),
    play: asked,
  },
  {
    name: "mcp",
    description: "May an MCP tool run",
    ...withMcp,
    model: deploy,
    play: asked,
  },
  {
    name: "mcp-answered",
    description: "An MCP tool was allowed at the keyboard",
    ...withMcp,
    model: deploy,
    play: inTurn(asked, (player) => answered(player, "1")),
    sizes: ["80x24"],
  },
];
