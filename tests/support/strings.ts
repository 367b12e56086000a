/** The strings of a tool that only does what a test says (`tests/fixtures/agents/puppet.mjs`): it draws that, and tells what it reads. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Strings {
  /** What the tool has read from its terminal. */
  heard = "";
  readonly #folder = mkdtempSync(join(tmpdir(), "puppet-"));
  readonly #server: Server;
  #wire: Socket | null = null;

  private constructor() {
    this.#server = createServer((wire) => this.#tie(wire));
  }

  static async open(): Promise<Strings> {
    const strings = new Strings();
    strings.#server.listen(join(strings.#folder, "wire"));
    await once(strings.#server, "listening");
    return strings;
  }

  /** By which the tool finds them. */
  get environment(): Readonly<Record<string, string>> {
    return { PUPPET_SOCKET: join(this.#folder, "wire") };
  }

  /** The tool is up. */
  get isTied(): boolean {
    return this.#wire !== null;
  }

  draws(text: string): void {
    this.#order({ say: Buffer.from(text).toString("base64") });
  }

  exits(code: number): void {
    this.#order({ exit: code });
  }

  close(): void {
    this.#wire?.destroy();
    this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #order(order: object): void {
    this.#wire?.write(`${JSON.stringify(order)}\n`);
  }

  #tie(wire: Socket): void {
    this.#wire = wire.on("error", () => undefined);
    const lines = createInterface({ input: wire });
    // It passes on that the tool was killed.
    lines.on("error", () => undefined);
    lines.on("line", (line) => {
      const { heard = "" } = JSON.parse(line) as { heard?: string };
      this.heard += Buffer.from(heard, "base64").toString();
    });
  }
}
