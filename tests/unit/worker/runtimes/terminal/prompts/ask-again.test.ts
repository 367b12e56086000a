/** A prompt is called gone only where its screen could be read. */
import { expect, it } from "vitest";
import { asId, type Fingerprint, type PromptId } from "../../../../../../src/model/ids.js";
import {
  askAgain,
  type AskAgainParts,
} from "../../../../../../src/worker/runtimes/terminal/prompts/ask-again.js";

const FINGERPRINT = asId<Fingerprint>("f".repeat(64));

interface Scene {
  readonly readable: boolean;
  /** The fingerprint of what is drawn now. */
  readonly drawn?: string;
  readonly known?: boolean;
}

function ask({ readable, drawn, known = false }: Scene): string {
  const prompt = { entry: { drawn: null } };
  const parts = {
    prompts: {
      find: () => (known ? prompt : undefined),
      promptBeingAnswered: null,
      hasPrompt: () => false,
      isAsking: false,
      findWaitingRequest: () => null,
      raiseAnew: () => undefined,
    },
    detector: {
      detectNow: () => (drawn === undefined ? null : { fingerprint: drawn }),
      isReadable: readable,
      isCurrent: () => false,
      isStale: () => false,
      onReplyUnsettled: () => undefined,
    },
  } as unknown as AskAgainParts;
  return askAgain(parts, asId<PromptId>("p"), FINGERPRINT);
}

it.each([
  [{ readable: true }, "gone"],
  [{ readable: false }, "unread"],
  [{ readable: true, known: true }, "gone"],
  [{ readable: false, known: true }, "unread"],
  [{ readable: true, drawn: FINGERPRINT }, "anew"],
  [{ readable: true, drawn: "another" }, "gone"],
] as const)("%j: %s", (scene, result) => {
  expect(ask(scene)).toBe(result);
});
