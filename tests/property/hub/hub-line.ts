/** A worker's connection to the hub in which every hop is a step of the world, and may be the last one. */
import { AtlasBridgeError } from "../../../src/model/errors.js";
import type { HubCalls, ParamsOf, ResultOf } from "../../../src/wire/messages.js";
import type { LedgerCalls } from "../../../src/hub/core/handlers.js";
import { SESSION, sessionParams } from "../../unit/hub/rig.js";
import { never, type HubLife, type World } from "./world.js";

export function isLost(error: unknown): boolean {
  return error instanceof AtlasBridgeError && error.code === "ATB_WIRE_LOST";
}

function lost(): AtlasBridgeError {
  return new AtlasBridgeError("ATB_WIRE_LOST", "the connection was lost");
}

interface Connection {
  readonly life: HubLife;
  alive: boolean;
}

export class HubLine {
  isDead = false;
  readonly #world: World;
  readonly #serve: (method: string, params: unknown) => unknown;
  #connection: Connection | null = null;

  constructor(world: World, serve: (method: string, params: unknown) => unknown) {
    this.#world = world;
    this.#serve = serve;
  }

  get connected(): boolean {
    return this.#connection?.alive ?? false;
  }

  kill(): void {
    this.isDead = true;
    this.lose();
  }

  lose(): void {
    const connection = this.#connection;
    this.#connection = null;
    if (!connection) return;
    connection.alive = false;
    if (!connection.life.isDead()) connection.life.core.noteDisconnected(SESSION);
  }

  /** Makes a connection and opens the session on it, if there is none. True when it is a new one. */
  async open(): Promise<boolean> {
    const life = this.#world.hub;
    if (this.isDead || this.connected || !life || life.isDead()) return false;
    const connection: Connection = { life, alive: true };
    this.#connection = connection;
    try {
      await this.call("session.open", sessionParams());
    } catch (error) {
      if (!isLost(error)) throw error;
      return false;
    }
    life.core.connected(SESSION, { call: (...call) => this.#answer(connection, ...call) });
    return true;
  }

  async call<M extends LedgerCalls>(
    method: M,
    params: ParamsOf<HubCalls, M>,
  ): Promise<ResultOf<HubCalls, M>> {
    const connection = this.#connection;
    if (!connection) throw lost();
    this.#world.step(`${method} is sent`);
    await this.#survive(connection);
    const handler = connection.life.core.handlers[method] as (
      p: unknown,
      c: unknown,
    ) => ResultOf<HubCalls, M>;
    let result: ResultOf<HubCalls, M>;
    try {
      result = handler(params, { sessionId: SESSION });
    } catch (error) {
      throw connection.alive ? error : lost();
    }
    this.#world.step(`${method} is acknowledged`);
    await this.#survive(connection);
    return result;
  }

  async #survive(connection: Connection): Promise<void> {
    if (this.isDead) await never();
    if (!connection.alive) throw lost();
  }

  async #answer(connection: Connection, method: string, params: unknown): Promise<never> {
    await this.#hop(connection, `${method} is sent`);
    const result = this.#serve(method, params);
    await this.#hop(connection, `${method} is acknowledged`);
    return result as never;
  }

  async #hop(connection: Connection, name: string): Promise<void> {
    if (connection.life.isDead()) await never();
    if (connection.alive) this.#world.step(name);
    if (connection.life.isDead()) await never();
    if (!connection.alive || this.isDead) throw lost();
  }
}
