/** What an agent is told when something is not done for it, in plain words: agents show them to their models. */
import { RequestError } from "@agentclientprotocol/sdk";

/** It may not ask for that. */
export function mayNot(words: string): RequestError {
  return new RequestError(-32602, words);
}

/** It may, and it could not be done. */
export function couldNot(words: string): RequestError {
  return new RequestError(-32603, words);
}
