/** What goes wrong, drawn from the seed: refusals, cuts, silence, nonsense, connections lost, the same thing twice or in the wrong order. */
import type { Stage } from "./stage.js";

const FAULTS = [
  { status: 429, retryAfter: 1 },
  { status: 502 },
  "drop",
  "drop-after-effect",
  "hang-after-effect",
  "hang",
  "garbage",
  "hollow",
] as const;
/** So long envelopes are kept back; then they come in the wrong order. */
const HELD_MS = 500;

export function allIsWell({ telegram, slack }: Stage): void {
  telegram.clearFaults();
  slack.clearFaults();
  slack.world.gateway.release();
}

export function goWrong({ telegram, slack }: Stage, random: () => number): void {
  const [dice, isPost] = [random(), random() < 0.6];
  const fault = FAULTS[Math.floor(random() * FAULTS.length)] ?? "drop";
  const { gateway } = slack.world;
  if (dice < 0.45) telegram.failNext(isPost ? "sendMessage" : "editMessageText", fault);
  else if (dice < 0.84) slack.failNext(isPost ? "chat.postMessage" : "chat.update", fault);
  else if (dice < 0.87) telegram.failNext("sendDocument", fault);
  else if (dice < 0.9) slack.failNext("files.completeUploadExternal", fault);
  else if (dice < 0.93) telegram.reverseNextBatch();
  else if (dice < 0.95) telegram.failNext("getUpdates", "drop-after-effect");
  else if (dice < 0.97) gateway.repeatLast();
  else if (dice < 0.98) gateway.cut();
  else {
    gateway.hold();
    setTimeout(() => gateway.release("reversed"), HELD_MS);
  }
}
