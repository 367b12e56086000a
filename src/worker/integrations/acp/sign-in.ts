/** Asks a person how to sign in to the agent. */
import type { Choice } from "../../../model/prompt.js";
import { createRejection } from "../../../model/answer/rejection.js";
import { toText } from "../../../model/data/json.js";
import type { SignIn } from "./agent-session.js";
import type { PendingRequests } from "../../prompts/pending-requests.js";
import { createRequestPrompt, type PendingRequest } from "../../prompts/pending-request.js";

/** Null: the person declined. */
export async function chooseSignIn(
  pendingRequests: Pick<PendingRequests, "open">,
  methods: readonly SignIn[],
): Promise<string | null> {
  const never = new AbortController().signal;
  const { methodId } = await pendingRequests.open(createSignInRequest(methods), never);
  return toText(methodId);
}

/** Only a person may answer it. */
function createSignInRequest(methods: readonly SignIn[]): PendingRequest {
  const ways = methods.map(({ name, description }): Choice => ({
    label: name,
    intent: "other",
    ...(description !== null && { detail: description }),
  }));
  const choices: Choice[] = [...ways, { label: "Do not sign in", intent: "reject_once" }];
  return {
    prompt: createRequestPrompt({
      rule: "authenticate",
      question: "The agent wants you to sign in",
      choices,
      promptType: "multiple_choice",
      constraints: { minChoice: 1, maxChoice: choices.length },
      safetyClass: "login",
      text: "",
      call: null,
    }),
    answer: ({ value }) => {
      const at = Number(value) - 1;
      if (!choices[at]) return createRejection("option_unknown");
      const method = methods[at];
      return { result: method ? { methodId: method.id } : {} };
    },
    cancelled: {},
    refused: {},
  };
}
