import type { Person } from "../../config/schema.js";
import { writeRunCommand, type InstalledTool } from "./asking-tools.js";

export function writeGreeting(name: string, role: Person["role"], tools: readonly InstalledTool[]): string {
  if (role === "viewer")
    return `👋 Hello ${name}. What the tools on this machine ask comes here from now on. You may look; others answer.`;
  const silent = tools.filter(({ needsAsk }) => needsAsk);
  const [first] = silent;
  return [
    `👋 Hello ${name}. What your tools ask comes here from now on, when you start them with \`atlasbridge run\`.`,
    ...(first === undefined
      ? []
      : [
          `Without --ask, ${joinNames(silent.map(({ name: tool }) => tool))} ${silent.length === 1 ? "decides" : "decide"} most things without asking you. Start it like this: ${writeRunCommand(first)}`,
        ]),
    "Write help to see what else you can do here.",
  ].join("\n\n");
}

export function joinNames(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}
