import type { ListedPrompt } from "../wire/listings.js";
import type { HubClient } from "./connect/meet-hub.js";
import { isInsideSession } from "./connect/start-hub.js";

/** The numbers that a yes from a chat needs, by prompt id. Empty inside a supervised tool. */
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
