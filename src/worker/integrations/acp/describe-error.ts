/** What an agent says of its own errors, for people. */
import { RequestError } from "@agentclientprotocol/sdk";
import { isObject, textOf } from "../../../model/data/json.js";

/** The agent's own words; what it adds as data is often the only thing that says something. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const data = error instanceof RequestError ? error.data : undefined;
  const detail = isObject(data) ? (textOf(data["details"]) ?? textOf(data["message"])) : textOf(data);
  return detail ? `${error.message}: ${detail}` : error.message;
}
