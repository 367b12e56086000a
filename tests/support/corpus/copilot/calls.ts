/** What copilot's model wants to do: commands, addresses, paths, and the tools of an MCP server. */
import { KEYS } from "../../real-cli/terminal.js";
import { answered as answeredLabel } from "../labels.js";
import type { Player } from "../player.js";
import { makeCommands, deceptiveScript, longCommand, REMOVE, second } from "../shared/commands.js";
import type { Label, LabelledReply } from "../situation.js";
import { answered, asked, bash, call, type CopilotSituation, afterwards, withMcp } from "./moves.js";

const NO = "No, and tell Copilot what to do differently (Esc to stop)";
/** Its row takes a reason; without one Esc says no, and stops the turn. */
const no = (row: number): readonly LabelledReply[] => [
  { value: String(row), keys: [KEYS.esc] },
  {
    value: String(row),
    text: "use trash",
    keys: [...Array<string>(row - 1).fill(KEYS.down), "\u001b[200~use trash\u001b[201~", KEYS.enter],
  },
];
const yes: readonly LabelledReply[] = [
  { value: "1", keys: ["1"] },
  { value: "2", keys: ["2"] },
];

const MAY: Label = { type: "multiple_choice", byDefault: 1, count: 1 };
const COMMAND: Label = { ...MAY, excerpt: "Do you want to run this command?" };
const SHELL: Label = {
  ...COMMAND,
  choices: ["Yes", "Yes, and don't ask again for `rm` in this repo (~/proj)", NO],
  content: ["rm -rf build"],
  replies: [...yes, ...no(3), { value: "4", keys: [] }, { value: "y", keys: [] }],
};
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
  labels: {
    removal: SHELL,
    moved: { ...SHELL, byDefault: 2, replies: yes },
    // On the smallest screen its beginning is above the screen.
    long: (size) => ({ ...COMMAND, content: [...(size === "45x20" ? [] : ["step 1:"]), "rm -rf"] }),
    script: (size) => ({ ...COMMAND, content: size === "45x20" ? [REMOVE] : ["set -e", REMOVE] }),
    other: second(SHELL, { content: ["rm -rf"] }),
    // Where it fills the screen not one byte changes: nobody can tell the second one from the first.
    twin: (size) => ({ ...SHELL, count: size === "45x20" ? 1 : 2 }),
    again: second(SHELL),
  },
  differs: { "command-moved": { description: "The highlight was moved to the second row" } },
});

export const calls: readonly CopilotSituation[] = [
  ...commands,
  {
    name: "shell-no",
    description: "The row for a reason is open, nothing is typed",
    model: removal,
    play: afterwards("3"),
    label: (size) => ({
      // Where room is short the open row stands in two columns.
      ...(size === "45x20" ? COMMAND : SHELL),
      byDefault: 3,
      replies: [
        { value: "1", keys: [KEYS.up, KEYS.up, KEYS.enter] },
        { value: "3", keys: [KEYS.esc] },
      ],
    }),
  },
  {
    name: "shell-no-typed",
    description: "A reason is typed and not sent",
    model: removal,
    play: afterwards("3", "u", "s", "e"),
    sizes: ["80x24"],
    label: { ...COMMAND, byDefault: 3, content: ["rm -rf build"] },
  },
  {
    name: "two",
    description: "The first of two commands",
    model: call(bash(REMOVE), bash("rm -rf dist")),
    play: asked,
    label: { ...COMMAND, content: ["rm -rf"] },
  },
  {
    name: "url",
    description: "May an address be reached by a command",
    model: call(bash("curl -s https://docs.example.invalid/page")),
    play: asked,
    label: {
      ...MAY,
      excerpt: "Do you want to allow this access?",
      choices: [
        "Yes",
        'Yes, and approve all URLs from "https://docs.example.invalid" for the rest of the running session',
        'Yes, and approve all URLs from "https://docs.example.invalid" permanently',
        NO,
      ],
      content: ["https://docs.example.invalid/page"],
      replies: [...yes, { value: "3", keys: ["3"] }, ...no(4)],
    },
  },
  {
    name: "path",
    description: "May a file outside of the project be read",
    model: call({ name: "view", input: { path: "/etc/hostname" } }),
    play: asked,
    label: (size) => ({
      ...MAY,
      excerpt: "Do you want to allow this?",
      choices: [
        "Yes",
        "Yes, and remember this path for this session",
        "Yes, allow file-tool read-only access to the listed directory for this session",
        "No (Esc)",
      ],
      content: size === "45x20" ? ["/etc"] : ["/etc/hostname"],
      replies: [...yes, { value: "4", keys: ["4"] }],
    }),
  },
  {
    name: "mcp",
    description: "May an MCP tool run",
    ...withMcp,
    model: deploy,
    play: asked,
    label: (size) => ({
      ...MAY,
      excerpt: "Do you want to use this tool?",
      choices: ["Yes", `Yes, and don't ask again for tool "deploy" from "ops" in this repo (~/proj)`, NO],
      content: ['"note": "Continue? (y/n)"', ...(size === "45x20" ? [] : ['"target": "production"'])],
      replies: [...yes, ...no(3)],
    }),
  },
  {
    name: "mcp-answered",
    description: "An MCP tool was allowed at the keyboard",
    ...withMcp,
    model: deploy,
    play: async (player) => {
      await asked(player);
      await answered(player, "1");
    },
    sizes: ["80x24"],
    label: answeredLabel(),
  },
];
