/** The worker's real relay over a tool with one question, in the same breakable world. */
import type { PromptId } from "../../../src/model/ids.js";
import type { Reply } from "../../../src/model/answer/reply.js";
import { createRefusal } from "../../../src/model/answer/refusal.js";
import type { Adapter, AdapterEvent, InjectionGate, InjectionResult } from "../../../src/sdk/adapter.js";
import { Relay } from "../../../src/worker/session/relay.js";
import { RECEIPT, SESSION, makeEvent } from "../../unit/hub/rig.js";
import { HubLine } from "./hub-line.js";
import { never, type WorldWorker, type World } from "./world.js";

export class RelayWorker implements WorldWorker {
  readonly line: HubLine;
  readonly #world: World;
  readonly #relay: Relay;
  readonly #waiting: (() => void)[] = [];
  #written = false;

  constructor(world: World) {
    this.#world = world;
    this.line = new HubLine(world, (method, params) => this.#serve(method, params));
    const adapter: Pick<Adapter, "events" | "injectReply"> = {
      events: () => raisedOnce(),
      injectReply: (reply, gate) => this.#inject(reply, gate),
    };
    const { line } = this;
    this.#relay = new Relay({
      sessionId: SESSION,
      adapter: adapter as Adapter,
      hub: {
        get connected() {
          return line.connected;
        },
        call: async (method, params, { whenConnected = false } = {}) => {
          for (;;) {
            try {
              return await line.call(method as never, params as never);
            } catch (error) {
              if (!whenConnected) throw error;
              await new Promise<void>((resolve) => this.#waiting.push(resolve));
            }
          }
        },
      },
      clock: world.clock,
      onTrouble: (error) => {
        throw error;
      },
    });
    this.#relay.start();
  }

  /** It asks nothing anew: once the one prompt is closed, all is told. */
  get isDone(): boolean {
    if (this.line.isDead) return true;
    return this.#world.read("SELECT 1 FROM prompts WHERE closed_at IS NOT NULL").length > 0;
  }

  async reconnect(): Promise<void> {
    if (!(await this.line.open())) return;
    this.#relay.onConnected();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #serve(method: string, params: unknown): unknown {
    if (method === "reply.deliver") return this.#relay.takeReply(params as Reply);
    if (method === "nonce.update") {
      const { promptId, nonceHash } = params as { promptId: PromptId; nonceHash: string };
      this.#relay.updateNonce(promptId, nonceHash);
    }
    return {};
  }

  async #inject(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    if (this.#written)
      return { kind: "refused", rejection: createRefusal("screen_moved"), stillAsked: false };
    try {
      await gate({ endsTool: false, route: "keys" });
    } catch {
      return { kind: "refused", rejection: createRefusal("not_recorded"), stillAsked: true };
    }
    this.#written = true;
    await this.#world.write(makeEvent(1), reply);
    if (this.line.isDead) await never();
    return { kind: "receipt", receipt: RECEIPT };
  }
}

async function* raisedOnce(): AsyncIterable<AdapterEvent> {
  yield await Promise.resolve({ kind: "raised" as const, event: makeEvent(1) });
}
