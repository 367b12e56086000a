/** A tool on strings inside a run, in a terminal of the test's: both ends of both ways are known, byte for byte, in the same run. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Terminal, TerminalSize } from "../../../../src/worker/process/terminal.js";
import { AGENTS, Collector, environment, start, until } from "../../support/tools.js";

interface Fact {
  readonly pid?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly heard?: string;
  readonly signal?: NodeJS.Signals;
  readonly size?: readonly [number, number];
}

/** Between every two sayings, so that the end of one is seen whatever it was. */
const END = Buffer.from("-END-OF-SAYING-");
/** The tool's terminal takes every byte as it is, both ways. */
const RAW = 'stty raw -echo; exec "$0" "$1"';

export interface PuppetOptions {
  readonly size?: TerminalSize;
  readonly env?: Readonly<Record<string, string>>;
}

export class Puppet {
  readonly outer: Terminal;
  readonly #output: Collector;
  readonly #server: Server;
  readonly #folder: string;
  readonly #facts: Fact[] = [];
  #wire: Socket | null = null;

  private constructor(folder: string, server: Server, command: readonly string[], options: PuppetOptions) {
    this.#folder = folder;
    this.#server = server.on("connection", (wire) => this.#listen(wire));
    const env = { ...environment(), ...options.env, PUPPET_SOCKET: join(folder, "wire") };
    const puppet = ["sh", "-c", RAW, process.execPath, `${AGENTS}/puppet.mjs`];
    this.outer = start([...command, ...puppet], { ...options, env });
    this.#output = new Collector(this.outer);
  }

  static async start(command: readonly string[], options: PuppetOptions = {}): Promise<Puppet> {
    const folder = mkdtempSync(join(tmpdir(), "puppet-"));
    const server = createServer().listen(join(folder, "wire"));
    const puppet = new Puppet(folder, server, command, options);
    await until(() => puppet.#wire !== null && puppet.#facts.length > 0);
    // Our terminal is raw before the first byte of the tool comes out.
    await puppet.say(Buffer.alloc(0));
    return puppet;
  }

  get env(): Readonly<Record<string, string>> {
    return this.#facts[0]?.env ?? {};
  }

  get pid(): number {
    return this.#facts[0]?.pid ?? 0;
  }

  /** The tool writes it in one piece (or in pieces of `step`). Resolves with what came out on the terminal instead. */
  async say(bytes: Uint8Array, step = bytes.length || 1): Promise<Buffer> {
    const from = this.#output.bytes.length;
    for (let at = 0; at < bytes.length; at += step)
      this.#order({ say: base64(bytes.subarray(at, at + step)) });
    this.#order({ say: base64(END) });
    const text = await this.#output.until((all) => all.includes(END.toString(), from));
    return Buffer.from(text.slice(from, text.indexOf(END.toString(), from)), "latin1");
  }

  /** Somebody types it, in one piece or in pieces of `step`. Resolves with what the tool has read instead. */
  async hear(bytes: Uint8Array, step = bytes.length || 1): Promise<Buffer> {
    const from = this.heard.length;
    for (let at = 0; at < bytes.length; at += step) await this.outer.write(bytes.subarray(at, at + step));
    await this.outer.write(END);
    await until(() => this.heard.indexOf(END, from) >= 0);
    return this.heard.subarray(from, this.heard.indexOf(END, from));
  }

  get heard(): Buffer {
    return Buffer.concat(this.#facts.map(({ heard = "" }) => Buffer.from(heard, "base64")));
  }

  async sized(cols: number, rows: number): Promise<void> {
    await until(() => this.#facts.some(({ size }) => size?.[0] === cols && size[1] === rows));
  }

  exit(code: number): void {
    this.#order({ exit: code });
  }

  async close(): Promise<void> {
    this.outer.kill("SIGKILL");
    this.outer.close();
    await this.outer.exited;
    this.#wire?.destroy();
    this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #listen(wire: Socket): void {
    this.#wire = wire.on("error", () => undefined);
    createInterface({ input: wire }).on("line", (line) => this.#facts.push(JSON.parse(line) as Fact));
  }

  #order(order: { say: string } | { exit: number }): void {
    this.#wire?.write(`${JSON.stringify(order)}\n`);
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
