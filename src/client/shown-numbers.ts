/** The numbers that open prompts want with a yes from a chat, for the person at this machine. */
import type { ListedPrompt } from "../wire/listings.js";
import type { HubClient } from "./connect/meet-hub.js";
import { isInsideSession } from "./connect/start-hub.js";

/** By prompt id. Empty inside a supervised tool, which is told none. */
export async function fetchShownNumbers(
  hub: Pick<HubClient, "call">,
  prompts: readonly ListedPrompt[],
): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>();
  if (isInsideSession()) return numbers;
  for (const { promptId, shortId } of prompts.filter(({ showsNumber }) => showsNumber === true)) {
    const { number } = await hub.call("prompt.number", { shortId });
    if (number !== null) numbers.set(promptId, number);
  }
  return numbers;
}
