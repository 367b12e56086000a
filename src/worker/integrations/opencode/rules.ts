/** What a server of sessions is to ask about in a session of ours. Pure. */
import { isObject, type Json } from "../../../model/data/json.js";

/** Rules for one session: what the user's own settings have a word for stays as they say. */
export function askedFor(asks: readonly string[], config: unknown): readonly Json[] {
  const settings = isObject(config) ? config : {};
  const own = isObject(settings["permission"]) ? Object.keys(settings["permission"]) : [];
  if (typeof settings["permission"] === "string" || own.includes("*")) return [];
  const servers = isObject(settings["mcp"]) ? Object.keys(settings["mcp"]) : [];
  const theirs = servers
    .map((name) => name.replaceAll(/[^\w-]/g, "_"))
    .filter((name) => !own.some((each) => each.startsWith(`${name}_`)))
    .map((name) => `${name}_*`);
  return [...asks.filter((name) => !own.includes(name)), ...theirs].map((permission) => ({
    permission,
    pattern: "*",
    action: "ask",
  }));
}
