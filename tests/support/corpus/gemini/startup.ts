/** What gemini asks before its first turn. */
import { inTurn, press, see, still } from "../move.js";
import { KEYS } from "../../real-cli/terminal.js";
import type { GeminiSituation } from "./moves.js";

const signedOut = { options: { signedIn: false } } as const;

export const startup: readonly GeminiSituation[] = [
  {
    name: "trust",
    description: "May the folder be trusted",
    options: { trusted: false },
    play: (player) => player.see(/Don't trust/),
  },
  {
    name: "trust-moved",
    description: "May the folder be trusted; the highlight was moved to the last row",
    options: { trusted: false },
    play: inTurn(see(/Don't trust/), still(), press(KEYS.up)),
    sizes: ["80x24"],
  },
  {
    name: "sign-in",
    description: "No account is set up: how to sign in",
    ...signedOut,
    play: (player) => player.see(/3\. Vertex AI/),
  },
  {
    name: "api-key",
    description: "The API key is to be typed",
    ...signedOut,
    play: inTurn(see(/3\. Vertex AI/), still(), press("2"), see(/Enter Gemini API Key/)),
  },
];
