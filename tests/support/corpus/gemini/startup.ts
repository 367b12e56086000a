/** What gemini asks before its first turn. */
import { KEYS } from "../../real-cli/terminal.js";
import { digits } from "../labels.js";
import type { Label } from "../situation.js";
import type { GeminiSituation } from "./moves.js";

const TRUST: Label = {
  type: "multiple_choice",
  excerpt: "Do you trust the files in this folder?",
  choices: ["Trust folder (proj)", "Trust parent folder (dev)", "Don't trust"],
  byDefault: 1,
  count: 1,
  replies: digits(3),
};
const SIGN_IN: Label = {
  type: "multiple_choice",
  excerpt: "How would you like to authenticate for this project?",
  choices: ["Sign in with Google", "Use Gemini API Key", "Vertex AI"],
  byDefault: 1,
  count: 1,
  replies: digits(3),
};
const signedOut = { options: { signedIn: false } } as const;

export const startup: readonly GeminiSituation[] = [
  {
    name: "trust",
    description: "May the folder be trusted",
    options: { trusted: false },
    play: (player) => player.see(/Don't trust/),
    label: TRUST,
  },
  {
    name: "trust-moved",
    description: "May the folder be trusted; the highlight was moved to the last row",
    options: { trusted: false },
    play: async (player) => {
      await player.see(/Don't trust/);
      await player.still();
      await player.key(KEYS.up);
    },
    sizes: ["80x24"],
    label: { ...TRUST, byDefault: 3 },
  },
  {
    name: "sign-in",
    description: "No account is set up: how to sign in",
    ...signedOut,
    play: (player) => player.see(/3\. Vertex AI/),
    label: SIGN_IN,
  },
  {
    name: "api-key",
    description: "The API key is to be typed",
    ...signedOut,
    play: async (player) => {
      await player.see(/3\. Vertex AI/);
      await player.still();
      await player.key("2");
      await player.see(/Enter Gemini API Key/);
    },
    label: {
      type: "secret",
      excerpt: "Enter Gemini API Key",
      count: 2,
      replies: [{ value: "key", keys: [] }],
    },
  },
];
