/** Socket and address: where others find the hub. */
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import type { Paths } from "../../config/paths.js";
import { ensureHubDirectories, writeHubAddress } from "../../config/private-files.js";
import { listenOn, type Listening } from "./listen.js";

export class Entrance {
  readonly #paths: Paths;
  readonly #accept: (socket: Socket) => void;
  #listening: Listening | null = null;

  private constructor(paths: Paths, accept: (socket: Socket) => void) {
    this.#paths = paths;
    this.#accept = accept;
  }

  /** Errors: ATB_SOCKET_UNSAFE, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE. */
  static async open(paths: Paths, accept: (socket: Socket) => void): Promise<Entrance> {
    const entrance = new Entrance(paths, accept);
    await entrance.settle();
    return entrance;
  }

  /** Both files are where others look for them. */
  canBeFound(): boolean {
    return this.#listening?.isInPlace() === true && existsSync(this.#paths.hubAddress);
  }

  /** Puts them there (again); connections that were made stay. Errors: as `open`. */
  async settle(): Promise<void> {
    this.close();
    ensureHubDirectories(this.#paths);
    this.#listening = await listenOn(this.#paths.socket, this.#accept);
    writeHubAddress(this.#paths);
  }

  close(): void {
    this.#listening?.close();
    this.#listening = null;
  }
}
