/** The policy's decision on a prompt before a human is asked. */
import type { PromptEvent } from "../../model/prompt.js";

export type Verdict =
  /** People are asked. */
  | { readonly kind: "ask"; readonly rule: string; readonly reason: string }
  /** Answered at once, as `auto:policy`. */
  | { readonly kind: "answer"; readonly rule: string; readonly reason: string; readonly value: string }
  /** Answered at once with the choice that rejects once. */
  | { readonly kind: "deny"; readonly rule: string; readonly reason: string }
  /** People are notified, but the answer is given at the terminal. */
  | { readonly kind: "notify"; readonly rule: string; readonly reason: string };

/** What a prompt is stored with. `onExpiry` is the setting under which its cards were written: a later one does not change what they say. */
export type StoredVerdict = Verdict & { readonly onExpiry: "leave" | "safe_default" };

/** Pure: the same prompt of the same session gets the same verdict. */
export type Decide = (
  event: PromptEvent,
  session: { readonly tool: string; readonly cwd: string },
) => Verdict;

/** The default without a policy file: every prompt goes to people. */
export const askAlways: Decide = () => ({ kind: "ask", rule: "default", reason: "no policy is set" });
