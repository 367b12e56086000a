/** The permission rules that a session of ours starts with. Pure. */
import { isObject, type Json } from "../../../model/data/json.js";

/** opencode does all of this without asking where its user's settings do not mention it. By its own names. */
const ASKED: readonly string[] = ["bash", "edit", "webfetch", "websearch", "task"];

/** Rules that make opencode ask. What the user's own settings mention stays as they say. */
export function buildPermissionRules(config: unknown): readonly Json[] {
  const settings = isObject(config) ? config : {};
  const own = isObject(settings["permission"]) ? Object.keys(settings["permission"]) : [];
  if (typeof settings["permission"] === "string" || own.includes("*")) return [];
  const servers = isObject(settings["mcp"]) ? Object.keys(settings["mcp"]) : [];
  const unmentioned = servers
    .map((name) => name.replaceAll(/[^\w-]/g, "_"))
    .filter((name) => !own.some((each) => each.startsWith(`${name}_`)))
    .map((name) => `${name}_*`);
  return [...ASKED.filter((name) => !own.includes(name)), ...unmentioned].map((permission) => ({
    permission,
    pattern: "*",
    action: "ask",
  }));
}
