/** Situations of gemini in which nothing is asked. */
import { ask, finished, ready, shell } from "./moves.js";
import { makeSilences } from "../shared/silences.js";

export const silences = makeSilences({
  hand: { ready, ask, finished },
  busy: /esc to cancel/,
  command: shell,
  unasked: { args: ["--approval-mode=yolo"] },
  dialog: "● 1. Allow once\\n  2. No\\nAllow execution of: rm?",
  unauthorized: {
    error: { status: 401, type: "UNAUTHENTICATED", message: "API key not valid." },
    seen: /API Error|401/,
  },
  retry: {
    error: { status: 503, type: "UNAVAILABLE", message: "The model is overloaded." },
    seen: /esc to cancel|Trying/,
    forMs: 4000,
  },
  resume: { args: ["--resume", "latest"], quit: "/quit" },
  differs: {
    "no-prompt-command": { sizes: ["120x40", "80x24"] },
  },
});
