/** Makes choices of the permissions that a tool suggests to remember. One that cannot be described is not offered. */
import type { Json } from "../../../model/data/json.js";
import { toArray, isObject, toText } from "../../../model/data/json.js";

export interface Suggestion {
  readonly label: string;
  readonly update: Json;
}

const WHERE: Readonly<Record<string, string>> = {
  session: "in this session",
  localSettings: "in this project",
  projectSettings: "in this project, for everybody who works on it",
  userSettings: "in all projects",
};

export function readSuggestions(given: unknown, modes: Readonly<Record<string, string>>): Suggestion[] {
  return toArray(given).flatMap((update) => {
    const where = isObject(update) ? WHERE[toText(update["destination"]) ?? ""] : undefined;
    if (!isObject(update) || where === undefined) return [];
    const what = describeUpdate(update, modes);
    return what === null ? [] : [{ label: `Yes, and ${what} ${where}`, update }];
  });
}

function describeUpdate(update: Json, modes: Readonly<Record<string, string>>): string | null {
  switch (update["type"]) {
    case "addRules":
      return update["behavior"] === "allow"
        ? joinNames("don't ask again for", readRuleNames(update["rules"]))
        : null;
    case "addDirectories":
      return joinNames("always allow access to", toArray(update["directories"]).map(toText));
    case "setMode": {
      const mode = toText(update["mode"]);
      return mode === null ? null : describeMode(mode, modes);
    }
    default:
      return null;
  }
}

function describeMode(mode: string, modes: Readonly<Record<string, string>>): string {
  return modes[mode] ?? `switch to the mode "${mode}"`;
}

/** `Bash(npm test:*)`, or the tool's name alone for all its calls. */
function readRuleNames(rules: unknown): (string | null)[] {
  return toArray(rules).map((rule) => {
    const tool = isObject(rule) ? toText(rule["toolName"]) : null;
    const content = isObject(rule) ? rule["ruleContent"] : undefined;
    if (content === undefined) return tool;
    return tool === null || typeof content !== "string" ? null : `${tool}(${content})`;
  });
}

function joinNames(verb: string, names: readonly (string | null)[]): string | null {
  return names.length === 0 || names.includes(null) ? null : `${verb} ${names.join(", ")}`;
}
