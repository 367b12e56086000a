/** Ara, who presses on whatever card shows buttons, once in a while twice, and again when nothing came of it. */
import type { PromptId } from "../../../src/model/ids.js";
import { listCards } from "./cards.js";
import type { Stage } from "./stage.js";

const LOOKS_EVERY_MS = 200;
/** So long people wait before they press again. */
const PATIENCE_MS = 4_000;
/** And so long until a question is there in both services. */
const BOTH_WITHIN_MS = 15_000;

/** Of every question. A card whose answer the session has not picked up yet has one button, which shows the screen. */
const CHOICES = 3;

/** `atTerminal`: the question, if it is one that is answered there first. Returns what ends it. */
export function answering(
  stage: Stage,
  random: () => number,
  atTerminal: (job: string) => { readonly session: number; readonly promptId: PromptId } | null,
): () => void {
  const pressedAt = new Map<string, number>();
  const seenAt = new Map<string, number>();
  const look = (): void => {
    const cards = listCards(stage);
    const shown = new Set(cards.map(({ channel, job }) => `${channel} ${job}`));
    const now = performance.now();
    for (const card of cards) {
      if (!seenAt.has(card.job)) seenAt.set(card.job, now);
      const isInBoth = shown.has(`telegram ${card.job}`) && shown.has(`slack ${card.job}`);
      if (!isInBoth && now - (seenAt.get(card.job) ?? now) < BOTH_WITHIN_MS) continue;
      if (card.buttons < CHOICES || now - (pressedAt.get(card.key) ?? -Infinity) < PATIENCE_MS) continue;
      if (!pressedAt.has(card.key) && random() < 0.5) continue;
      pressedAt.set(card.key, now);
      const which = random() < 0.5 ? 0 : 2;
      const local = atTerminal(card.job);
      if (local && !stage.workers[local.session]?.withdrawn.has(local.promptId))
        void stage.workers[local.session]?.withdraw(local.promptId);
      else if (random() < 0.1) card.press(which)(random() < 0.5 ? "same" : "new");
      else card.press(which);
    }
  };
  const timer = setInterval(look, LOOKS_EVERY_MS);
  return () => clearInterval(timer);
}
