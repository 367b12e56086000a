/** Socket, address file and secret: how others find and authenticate the hub. */
import type { Socket } from "node:net";
import { readHubSecret, writeHubSecret } from "../../config/hub-secret.js";
import type { Paths } from "../../config/paths.js";
import { ensureHubDirectories, readHubAddress, writeHubAddress } from "../../config/private-files.js";
import type { Damage } from "./maintain-entrance.js";
import { listenOn, type Listening } from "./listen.js";

export interface EntranceOptions {
  readonly paths: Paths;
  readonly secret: Buffer;
  readonly accept: (socket: Socket) => void;
}

export class Entrance {
  readonly #options: EntranceOptions;
  #listening: Listening | null = null;

  private constructor(options: EntranceOptions) {
    this.#options = options;
  }

  static async open(options: EntranceOptions): Promise<Entrance> {
    const entrance = new Entrance(options);
    await entrance.#listen();
    return entrance;
  }

  /** Which of the files is not as this hub made it. Contents are compared as well, because any program could replace a file. */
  findDamage(): Damage | null {
    const { paths, secret } = this.#options;
    if (this.#listening?.isInPlace() !== true) return "socket";
    if (readHubAddress(paths) !== paths.socket) return "address";
    return readHubSecret(paths)?.equals(secret) === true ? null : "secret";
  }

  async settle(damage: Damage): Promise<void> {
    const { paths, secret } = this.#options;
    if (damage === "socket") await this.#listen();
    else if (damage === "address") writeHubAddress(paths);
    else writeHubSecret(paths, secret);
  }

  close(): void {
    this.#listening?.close();
    this.#listening = null;
  }

  async #listen(): Promise<void> {
    const { paths, accept } = this.#options;
    this.close();
    ensureHubDirectories(paths);
    this.#listening = await listenOn(paths.socket, accept);
    writeHubAddress(paths);
  }
}
