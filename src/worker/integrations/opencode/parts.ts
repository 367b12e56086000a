/** Reads text and calls from a session server's messages, which grow. */
import { toObject, toText, type Json } from "../../../model/data/json.js";
import type { Activity } from "../../runtimes/protocol/activity.js";

const SPEAKERS: ReadonlyMap<string, "agent" | "thought"> = new Map([
  ["text", "agent"],
  ["reasoning", "thought"],
]);

interface Text {
  readonly by: "agent" | "thought";
  readonly length: number;
}

export class SessionParts {
  /** Messages of people. */
  readonly #ours = new Set<string>();
  readonly #texts = new Map<string, Text>();
  readonly #states = new Map<string, string>();

  readActivities(event: Json): Activity[] {
    const details = toObject(event["properties"]);
    const { info, part } = details;
    switch (event["type"]) {
      case "message.updated":
        if (toObject(info)["role"] === "user") this.#ours.add(toText(toObject(info)["id"]) ?? "");
        return [];
      case "message.part.updated":
        return this.#readPart(toObject(part));
      case "message.part.delta":
        return this.#readPiece(details);
      default:
        return [];
    }
  }

  isNew(event: Json): boolean {
    const { type, callID, state } = toObject(toObject(event["properties"])["part"]);
    if (type !== "tool") return true;
    const id = toText(callID) ?? "";
    const status = toText(toObject(state)["status"]) ?? "";
    const before = this.#states.get(id);
    this.#states.set(id, status);
    return before !== status;
  }

  #readPart({ id, type, text, messageID, time }: Json): Activity[] {
    const by = SPEAKERS.get(toText(type) ?? "");
    if (by === undefined || this.#ours.has(toText(messageID) ?? "")) return [];
    const key = toText(id) ?? "";
    const whole = toText(text) ?? "";
    const shownLength = this.#texts.get(key)?.length ?? 0;
    const isOver = typeof toObject(time)["end"] === "number";
    this.#texts.set(key, { by, length: isOver ? Infinity : Math.max(shownLength, whole.length) });
    const rest = whole.slice(shownLength) + (isOver && shownLength !== Infinity ? "\n" : "");
    return rest === "" ? [] : [{ kind: "said", by, text: rest }];
  }

  #readPiece({ partID, field, delta }: Json): Activity[] {
    const key = toText(partID) ?? "";
    const known = this.#texts.get(key);
    const text = toText(delta) ?? "";
    if (!known || field !== "text" || text === "") return [];
    this.#texts.set(key, { ...known, length: known.length + text.length });
    return [{ kind: "said", by: known.by, text }];
  }
}
