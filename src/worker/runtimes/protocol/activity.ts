/** Reads what an agent reports about its work (`session/update`), in both versions of the protocol. Unknown reports are ignored. Pure. */
import { toArray, isObject, toText, type Json } from "../../../model/data/json.js";
import { describeBlock, mergeToolCall, type ToolCall } from "./tool-call.js";

export interface PlanStep {
  readonly text: string;
  readonly status: string;
}

export interface Cost {
  readonly amount: number;
  readonly currency: string;
}

export interface Usage {
  readonly kind: "usage";
  readonly used: number;
  readonly size: number;
  readonly cost: Cost | null;
}

export type Activity =
  | { readonly kind: "said"; readonly by: "agent" | "user" | "thought"; readonly text: string }
  | { readonly kind: "call"; readonly call: ToolCall; readonly before: ToolCall | undefined }
  | { readonly kind: "plan"; readonly steps: readonly PlanStep[] }
  | Usage
  | { readonly kind: "setting"; readonly lines: readonly string[] }
  | { readonly kind: "notice"; readonly text: string }
  /** Version 2 reports with this that a turn has begun, and that it is over. */
  | { readonly kind: "turn"; readonly running: boolean; readonly stopReason: string | null };

const SPEAKERS = { agent: "agent", user: "user", thought: "thought" } as const;

export class ActivityReader {
  readonly #calls = new Map<string, ToolCall>();
  /** Messages of which pieces have come: the complete message that may follow is nothing new. */
  readonly #heard = new Set<string>();
  readonly #onCall = new Set<(call: ToolCall) => void>();

  /** A call that is over has neither input nor output here. */
  findCall(id: string): ToolCall | undefined {
    return this.#calls.get(id);
  }

  /** `listener` is called with each call as it stands after a report, even of one that is over. Returns how to stop that. */
  onCall(listener: (call: ToolCall) => void): () => void {
    this.#onCall.add(listener);
    return () => void this.#onCall.delete(listener);
  }

  read(update: Json): Activity | null {
    const kind = toText(update["sessionUpdate"]) ?? "";
    const match = /^(user|agent)_(message|thought)(_chunk)?$/.exec(kind);
    if (match)
      return this.#readSaid(
        update,
        match[2] === "thought" ? "thought" : SPEAKERS[match[1] as "agent" | "user"],
        !!match[3],
      );
    switch (kind) {
      case "tool_call":
      case "tool_call_update":
        return this.#readCall(update);
      case "tool_call_content_chunk":
        return this.#readCallChunk(update);
      case "plan":
        return readPlan(update["entries"]);
      case "plan_update":
        return isObject(update["plan"]) ? readPlan(update["plan"]["entries"]) : null;
      case "usage_update":
        return readUsage(update);
      case "notice":
        return readNotice(update);
      case "state_update":
        return readTurn(update);
      default:
        return null;
    }
  }

  #readSaid(update: Json, by: "agent" | "user" | "thought", isPiece: boolean): Activity | null {
    const id = toText(update["messageId"]);
    const { content } = update;
    const text = Array.isArray(content) ? content.map(describeBlock).join("") : describeBlock(content);
    const known = id !== null && this.#heard.has(id);
    if (id !== null) this.#heard.add(id);
    return text === "" || (known && !isPiece) ? null : { kind: "said", by, text };
  }

  #readCall(update: Json): Activity | null {
    const id = toText(update["toolCallId"]);
    const before = id === null ? undefined : this.#calls.get(id);
    const call = mergeToolCall(update, before);
    if (call) {
      this.#calls.set(call.id, removeContent(call));
      for (const listener of [...this.#onCall]) listener(call);
    }
    return call && { kind: "call", call, before };
  }

  #readCallChunk({ toolCallId, content }: Json): Activity | null {
    const before = this.#calls.get(toText(toolCallId) ?? "");
    return before && isObject(content)
      ? this.#readCall({ toolCallId, content: [...before.content, content] })
      : null;
  }
}

/** Keeps only the names of a call that is over: a session has thousands of calls, and they may contain whole files. */
function removeContent(call: ToolCall): ToolCall {
  const isOver = call.status === "completed" || call.status === "failed";
  return isOver ? { ...call, input: undefined, output: undefined, content: [] } : call;
}

function readPlan(entries: unknown): Activity | null {
  if (!Array.isArray(entries)) return null;
  const steps = toArray(entries)
    .filter(isObject)
    .map(({ content, status }) => ({ text: toText(content) ?? "?", status: toText(status) ?? "pending" }));
  return { kind: "plan", steps };
}

function readUsage({ used, size, cost }: Json): Activity | null {
  if (typeof used !== "number" || typeof size !== "number") return null;
  return { kind: "usage", used, size, cost: readCost(cost) };
}

function readCost(cost: unknown): Cost | null {
  if (!isObject(cost) || typeof cost["amount"] !== "number") return null;
  return { amount: cost["amount"], currency: toText(cost["currency"]) ?? "" };
}

/** Returns null for a cost in another currency than US dollars. */
export function findUsd({ cost }: Pick<Usage, "cost">): number | null {
  return cost !== null && cost.currency === "USD" && cost.amount >= 0 ? cost.amount : null;
}

function readNotice({ title, description, message }: Json): Activity | null {
  const text = [title, description, message]
    .map(toText)
    .filter((part) => part !== null)
    .join(": ");
  return text === "" ? null : { kind: "notice", text };
}

function readTurn({ state, stopReason }: Json): Activity | null {
  if (state === "running" || state === "requires_action")
    return { kind: "turn", running: true, stopReason: null };
  return state === "idle" ? { kind: "turn", running: false, stopReason: toText(stopReason) } : null;
}
