/** Prepares a program until its first prompt: loads the integration script and presses Enter, if its file says so. */
import { rmSync } from "node:fs";
import { injectScript } from "./inject-script.js";
import type { Changes } from "./changes.js";
import type { ControlledProgram } from "./program-controls.js";
import type { PromptGate } from "./prompt/prompt-gate.js";

export interface ReadinessOptions extends ControlledProgram {
  readonly gate: PromptGate;
  readonly changes: Changes;
  readonly lineEnding: string;
  readonly injection: string | null;
  readonly secretFile: string | null;
}

export class Readiness {
  readonly #options: ReadinessOptions;
  readonly #firstEnter: Promise<void>;

  constructor(options: ReadinessOptions) {
    this.#options = options;
    const { program, injection, port, clock } = options;
    if (injection !== null) void injectScript(program, injection, { port, clock });
    void this.#forgetSecret();
    this.#firstEnter = program.ready.kick_enter_after_ready ? this.#pressEnter() : Promise.resolve();
  }

  async wait(withinMs: number): Promise<string | null> {
    const { gate } = this.#options;
    const problem = await gate.waitUntilFree(withinMs);
    if (problem !== null) return problem;
    await this.#firstEnter;
    return gate.waitUntilFree(withinMs);
  }

  /** Removes the file with the secret at the first prompt, before another program can read it. */
  async #forgetSecret(): Promise<void> {
    const { watch, changes, secretFile } = this.#options;
    while (watch.phase === "starting" || watch.phase === "running" || watch.phase === "drawing")
      await changes.wait();
    if (secretFile !== null) rmSync(secretFile, { force: true });
  }

  /** A person who types at that moment gets a new prompt anyway. */
  async #pressEnter(): Promise<void> {
    const { port, watch, gate, changes, lineEnding } = this.#options;
    while (watch.phase === "starting" || watch.phase === "drawing") await changes.wait();
    await port.turn(async () => {
      if ((await gate.check()) !== null) return;
      watch.noteSubmitted();
      await port.terminal.write(Buffer.from(lineEnding));
    });
  }
}
