/** Asks a person how to sign in to the agent. */
import { toText, type Json } from "../../../model/data/json.js";
import type { PendingRequests } from "../../prompts/pending-requests.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import { createDecisionRequest, type Decision } from "../decision-request.js";

export interface SignIn {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
}

export function readSignIn(method: Json): SignIn | null {
  const [id, name, description] = [
    method["id"] ?? method["methodId"],
    method["name"],
    method["description"],
  ].map(toText);
  if (typeof id !== "string") return null;
  return { id, name: name ?? id, description: description ?? null };
}

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
  const ways = methods.map(({ id, name, description }): Decision => ({
    choice: { label: name, intent: "other", ...(description !== null && { detail: description }) },
    result: { methodId: id },
  }));
  return createDecisionRequest({
    rule: "authenticate",
    question: "The agent wants you to sign in",
    safetyClass: "login",
    text: "",
    call: null,
    decisions: [...ways, { choice: { label: "Do not sign in", intent: "reject_once" }, result: {} }],
    cancelled: {},
    refused: {},
  });
}
