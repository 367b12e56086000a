/** What an agent says of its own errors, for people. */
import { RequestError } from "@agentclientprotocol/sdk";
import { isObject, toText } from "../../../model/data/json.js";

/** The agent's own words; what it adds as data is often the only thing that says something. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const data = error instanceof RequestError ? error.data : undefined;
  const detail = isObject(data) ? (toText(data["details"]) ?? toText(data["message"])) : toText(data);
  return detail ? `${error.message}: ${detail}` : error.message;
}
