/** `atlasbridge run` around a program that says again what it is told, through pipes: a session that shows whether it is disturbed. */
import type { ChildProcess } from "node:child_process";
import { eventually, MAIN, type HubHome } from "./hub-home.js";

/** Without echo, so that all that comes out is the tool's own. */
const ECHO = 'stty -echo; echo ready; while read line; do echo "heard $line"; done; echo bye';

export class EchoRun {
  readonly process: ChildProcess;
  readonly exited: Promise<number | null>;
  out = "";
  err = "";
  #said = 0;

  constructor(home: HubHome, label: string, main = MAIN) {
    this.process = home.startProgram(main, "run", "--label", label, "sh", "-c", ECHO);
    this.process.stdout?.on("data", (chunk: Buffer) => (this.out += chunk.toString()));
    this.process.stderr?.on("data", (chunk: Buffer) => (this.err += chunk.toString()));
    this.exited = new Promise((resolve) => this.process.once("close", resolve));
  }

  ready(): Promise<unknown> {
    return eventually(() => this.out.includes("ready"));
  }

  async answers(): Promise<void> {
    const word = `word${++this.#said}`;
    this.process.stdin?.write(`${word}\n`);
    await eventually(() => this.out.includes(`heard ${word}`));
  }

  /** Closes its input, upon which the tool ends. Its exit code. */
  end(): Promise<number | null> {
    this.process.stdin?.end();
    return this.exited;
  }
}
