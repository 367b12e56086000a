/** Situations of qwen in which nothing is asked. */
import { makeSilences } from "../shared/silences.js";
import { ask, finished, ready, shell } from "./moves.js";

export const silences = makeSilences({
  hand: { ready, ask, finished },
  busy: /esc to cancel/,
  command: shell,
  unasked: { args: ["--approval-mode=yolo"] },
  dialog: "› 1. Yes, allow once\\n  2. No\\nAllow execution of: rm?",
  unauthorized: {
    error: { status: 401, type: "invalid_api_key", message: "Incorrect API key provided." },
    seen: /401|Incorrect API key/,
  },
  retry: {
    error: { status: 503, type: "server_error", message: "The model is overloaded." },
    seen: /esc to cancel|Trying/,
    forMs: 4000,
  },
  resume: { args: ["--continue"], quit: "/quit" },
  differs: {
    "no-prompt-command": { sizes: ["120x40", "80x24"] },
    "no-prompt-files": null,
  },
});
