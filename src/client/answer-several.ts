import { resolvePaths } from "../config/paths.js";
import { makeVisible } from "../safety/display.js";
import { queryHub } from "./client.js";
import { noteInside } from "./connect/start-hub.js";

export interface AnsweredTogether {
  readonly shortId: string;
  readonly promptId: string | null;
  /** Null: accepted. Otherwise the reason why not. */
  readonly problem: { readonly code: string; readonly text: string } | null;
}

/**
 * Answers several prompts that are the same request; each is claimed separately. `value` null: the safe default. Errors: ATB_HUB_*,
 * ATB_WIRE_*.
 */
export async function answerSeveral(
  shortIds: readonly string[],
  value: string | null,
): Promise<AnsweredTogether[]> {
  const answer = { shortIds: [...shortIds], value, ...noteInside() };
  const results = await queryHub(resolvePaths(), (hub) => hub.call("prompts.answer", answer));
  return results.map(({ shortId, promptId, rejection }) => ({
    shortId,
    promptId,
    problem: rejection && { code: rejection.code, text: makeVisible(rejection.text) },
  }));
}

export function describeAnsweredTogether(results: readonly AnsweredTogether[]): string[] {
  const accepted = results.filter(({ problem }) => problem === null).map(({ shortId }) => shortId);
  const left = results.flatMap(({ shortId, problem }) =>
    problem === null ? [] : [`${shortId}: left out: ${problem.text}`],
  );
  return [...(accepted.length === 0 ? [] : [`${accepted.join(", ")}: accepted`]), ...left];
}
