/** Where people are who fill in a card: its tokens hold the step that it shows, and the buttons that were shown. */
import type { DeliveryId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import { planButtons } from "./notices/buttons.js";
import { encodeHere, findShownStep, parseSend, type FormStep } from "./notices/form-steps.js";
import type { Random } from "../../observe/random.js";
import type { Store } from "../store/store.js";

/** Each filled-in state has a button of its own; more are not kept of a card that somebody changes again and again. */
const SENDS_MAX = 20;

/** Lets the card show `step`. Buttons that exist keep their tokens. Runs inside a transaction. */
export function setStep(
  { store: { deliveries }, random }: { readonly store: Store; readonly random: Random },
  deliveryId: DeliveryId,
  event: PromptEvent,
  step: FormStep,
): void {
  const rows = deliveries.listTokens({ deliveryId, twinOf: null });
  const values = rows.map(({ value }) => value);
  const shown = findShownStep(event, values);
  const sends = values.filter((value) => parseSend(value) !== null);
  const dropped = [
    ...(shown === null ? [] : [encodeHere(shown)]),
    ...(sends.length < SENDS_MAX ? [] : sends),
  ];
  for (const value of dropped) deliveries.dropToken(deliveryId, value);
  const planned = planButtons(event, step).map(({ value }) => value);
  const missing = planned.filter((value) => dropped.includes(value) || !values.includes(value));
  let position = 1 + Math.max(-1, ...rows.map((row) => row.position));
  for (const value of [encodeHere(step), ...missing]) {
    const token = random.token();
    deliveries.insertToken({ token, deliveryId, position: position++, value, acceptsHidden: null });
  }
}
