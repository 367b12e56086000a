/** What copilot asks before its first turn. */
import { KEYS } from "../../real-cli/terminal.js";
import { digits } from "../labels.js";
import type { Label } from "../situation.js";
import { asked, type CopilotSituation, ready } from "./moves.js";

const TRUST: Label = {
  type: "multiple_choice",
  excerpt: "Do you trust the files in this folder?",
  choices: ["Yes", "Yes, and remember this folder for future sessions", "No (Esc)"],
  byDefault: 1,
  count: 1,
  replies: digits(3),
};
const untrusted = {
  options: { trusted: false },
  play: (player) => player.see(/Do you trust the files/, 60_000),
} satisfies Partial<CopilotSituation>;

const signedOut = { options: { provider: false } } as const;
const signsIn: CopilotSituation["play"] = async (player) => {
  await ready(player);
  await player.say("/login");
  await player.see(/GitHub\.com/);
};

export const startup: readonly CopilotSituation[] = [
  {
    name: "trust",
    description: "May the folder be trusted",
    ...untrusted,
    label: (size) => ({ ...TRUST, content: size === "45x20" ? ["run code"] : ["/home/dev/proj"] }),
  },
  {
    name: "trust-moved",
    description: "May the folder be trusted; the highlight was moved to the last row",
    options: { trusted: false },
    play: async (player) => {
      await untrusted.play(player);
      await player.still();
      await player.key(KEYS.up);
    },
    sizes: ["80x24"],
    label: { ...TRUST, byDefault: 3 },
  },
  {
    name: "sign-in",
    description: "Which account to sign in with",
    ...signedOut,
    play: signsIn,
    label: {
      type: "multiple_choice",
      excerpt: "What account do you want to log into?",
      choices: ["GitHub.com", "GitHub Enterprise Cloud (*.ghe.com)"],
      byDefault: 1,
      count: 1,
      replies: digits(2),
    },
  },
  {
    name: "sign-in-way",
    description: "How to sign in",
    ...signedOut,
    play: async (player) => {
      await signsIn(player);
      await player.still();
      await player.key("2");
      await player.still(1500);
    },
    label: {
      type: "multiple_choice",
      excerpt: "How do you want to sign in?",
      choices: ["Sign in with your browser (recommended)", "Sign in with a device code"],
      byDefault: 1,
      count: 2,
      replies: digits(2),
    },
  },
  {
    name: "autopilot",
    description: "The first task in autopilot: are all permissions given",
    options: { args: ["--mode", "autopilot"] },
    play: asked,
    label: {
      type: "multiple_choice",
      excerpt: "Autopilot execution works best",
      choices: [
        "Enable all permissions (recommended)",
        "Use Manual Approval for this session",
        "Cancel (Esc)",
      ],
      byDefault: 1,
      count: 1,
      replies: digits(3),
    },
  },
];
