/** Answers several prompts that are the same request, as the person at this machine. */
import { resolvePaths } from "../config/paths.js";
import { makeVisible } from "../safety/display.js";
import { queryHub } from "./client.js";
import { noteInside } from "./connect/start-hub.js";

export interface AnsweredTogether {
  readonly shortId: string;
  readonly promptId: string | null;
  /** Null: accepted. Otherwise why it was left out. */
  readonly problem: { readonly code: string; readonly text: string } | null;
}

/** Each that still is the same request is claimed by itself. `value` null: the safe default. Errors: ATB_HUB_*, ATB_WIRE_*. */
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

/** `k7, k8: accepted`, and each that was left out with the reason. */
export function describeAnsweredTogether(results: readonly AnsweredTogether[]): string[] {
  const accepted = results.filter(({ problem }) => problem === null).map(({ shortId }) => shortId);
  const left = results.flatMap(({ shortId, problem }) =>
    problem === null ? [] : [`${shortId}: left out: ${problem.text}`],
  );
  return [...(accepted.length === 0 ? [] : [`${accepted.join(", ")}: accepted`]), ...left];
}
