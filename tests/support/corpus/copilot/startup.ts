/** What copilot asks before its first turn. */
import { inTurn, press, still } from "../move.js";
import { KEYS } from "../../real-cli/terminal.js";
import { asked, type CopilotSituation, ready } from "./moves.js";

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
  },
  {
    name: "trust-moved",
    description: "May the folder be trusted; the highlight was moved to the last row",
    options: { trusted: false },
    play: inTurn(untrusted.play, still(), press(KEYS.up)),
    sizes: ["80x24"],
  },
  {
    name: "sign-in",
    description: "Which account to sign in with",
    ...signedOut,
    play: signsIn,
  },
  {
    name: "sign-in-way",
    description: "How to sign in",
    ...signedOut,
    play: inTurn(signsIn, still(), press("2"), still(1500)),
  },
  {
    name: "autopilot",
    description: "The first task in autopilot: are all permissions given",
    options: { args: ["--mode", "autopilot"] },
    play: asked,
  },
];
