/** The state of an agent's session from its reports: calls, usage, and the latest message. */
import { toArray, isObject, toText, type Json } from "../../../model/data/json.js";
import { ActivityReader, type Activity, type Usage } from "../../runtimes/protocol/activity.js";
import { AcpSettings } from "./settings.js";
import type { CallReports } from "./permission/call-changes.js";

export class SessionFacts {
  readonly #reader = new ActivityReader();
  #usage: Usage | null = null;
  #commands: readonly string[] = [];
  #said = "";

  readonly settings = new AcpSettings();
  readonly calls: CallReports = {
    find: (id) => this.#reader.findCall(id),
    onReport: (listener) => this.#reader.onCall(listener),
  };

  take(update: Json): Activity | null {
    const lines = this.settings.take(update);
    if (lines) return { kind: "setting", lines };
    if (update["sessionUpdate"] === "available_commands_update")
      this.#commands = readCommands(update["availableCommands"]);
    const activity = this.#reader.read(update);
    if (activity?.kind === "usage") this.#usage = activity;
    if (activity?.kind === "said" && activity.by === "agent") this.#said += activity.text;
    // Only text after the last call is the answer.
    if (activity?.kind === "call" && !activity.before) this.#said = "";
    return activity;
  }

  startTurn(): void {
    this.#said = "";
  }

  get commands(): readonly string[] {
    return this.#commands;
  }

  get usage(): Usage | null {
    return this.#usage;
  }

  get lastMessage(): string | null {
    return this.#said.trim() || null;
  }
}

function readCommands(given: unknown): string[] {
  return toArray(given)
    .filter(isObject)
    .map(({ name }) => toText(name))
    .filter((name) => name !== null);
}
