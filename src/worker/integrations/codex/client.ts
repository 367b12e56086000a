/** The client of codex's app server, under `exec` and beside its terminal. */
import { isDeepStrictEqual } from "node:util";
import { isObject, toText, type Json } from "../../../model/data/json.js";
import { isRpcId, RpcPeer, type PeerRpcId, type RpcPeerOptions } from "../../runtimes/protocol/rpc-peer.js";

export const ITEMS_MAX = 64;

export interface CodexClientOptions extends Pick<RpcPeerOptions, "send" | "isOpen" | "onRequest"> {
  /** Whether to read reports about this thread; null: the report names none. */
  readonly isOwn: (threadId: string | null) => boolean;
  /** Called when the changes of a reported edit differ from those reported before. */
  readonly onEditChanged: (itemId: string) => void;
  readonly onResolved: (id: PeerRpcId) => void;
  readonly onNotification: (method: string, params: Json, isOwn: boolean) => void;
}

export class CodexClient extends RpcPeer {
  readonly items = new EditItems();

  constructor(options: CodexClientOptions) {
    super({
      ...options,
      onNotification: (method, params) => {
        const { requestId } = params;
        const isOwn = options.isOwn(toText(params["threadId"]));
        const changed = isOwn ? this.items.read(method, params) : null;
        if (changed !== null) options.onEditChanged(changed);
        if (method === "serverRequest/resolved" && isRpcId(requestId)) options.onResolved(requestId);
        options.onNotification(method, params, isOwn);
      },
    });
  }

  async initialize(version: string): Promise<void> {
    await this.request("initialize", {
      clientInfo: { name: "atlasbridge", title: "AtlasBridge", version },
      capabilities: { experimentalApi: true },
    });
    this.notify("initialized");
  }

  /** Sends a message to the model during a turn. */
  async steer(threadId: unknown, expectedTurnId: unknown, text: string): Promise<void> {
    await this.request("turn/steer", { threadId, expectedTurnId, input: buildTextInput(text) });
  }
}

export function buildTextInput(text: string): readonly Json[] {
  return [{ type: "text", text, text_elements: [] }];
}

/** Remembers reported edits, because approval requests do not contain the changes. */
export class EditItems {
  readonly #items = new Map<string, Json>();

  find(id: unknown): Json | null {
    return this.#items.get(toText(id) ?? "") ?? null;
  }

  /** Returns the id of an edit if its changes differ from those known before. */
  read(method: string, { item, itemId, changes }: Json): string | null {
    const known = this.find(itemId);
    if (method === "item/fileChange/patchUpdated")
      return this.#keep(toText(itemId), { type: "fileChange", id: itemId, ...known, changes });
    if (!isObject(item)) return null;
    if (method === "item/completed") this.#items.delete(toText(item["id"]) ?? "");
    const isStarted = method === "item/started" && item["type"] === "fileChange";
    return isStarted ? this.#keep(toText(item["id"]), item) : null;
  }

  clear(): void {
    this.#items.clear();
  }

  #keep(id: string | null, item: Json): string | null {
    const known = this.find(id);
    if (id === null || (!known && this.#items.size >= ITEMS_MAX)) return null;
    this.#items.set(id, item);
    return isDeepStrictEqual(known?.["changes"], item["changes"]) ? null : id;
  }
}
