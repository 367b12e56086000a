/** Races between a key and a tool that puts another question in the place of the one that is answered. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { systemClock } from "../../../src/observe/clock.js";
import type { InjectionResult } from "../../../src/sdk/adapter.js";
import type { Candidate } from "../../../src/sdk/candidate.js";
import { waitFor } from "../../../src/worker/answer/terminal-port.js";
import { injectAnswer } from "../../../src/worker/answer/inject.js";
import { TerminalDriver } from "../../../src/worker/answer/terminal-driver.js";
import { detect } from "../../../src/worker/detection/detect.js";
import { Screen } from "../../../src/worker/screen/screen.js";
import { openPty } from "../../../src/worker/pty/pty.js";
import type { Terminal } from "../../../src/worker/process/terminal.js";
import { HANG_MS } from "../../support/hang-guards.js";
import { replyTo } from "../../unit/worker/answer/make.js";
import { shippedAdapter } from "../../unit/worker/detection/screens.js";

const SIZE = { cols: 80, rows: 24 };
/** So that a race takes little longer than what it is about. */
const TIMINGS = { effectWithinMs: 400, goneForMs: 20, returnsWithinMs: 30, holdAfterMs: 1 };

export interface Race {
  /** What the tool does when its question is answered. */
  readonly then: "done" | "next" | "later";
  /** Null: it leaves the question as it is. */
  readonly swapAfterMs: number | null;
  /** The other question: a dialog, a list that no rule describes, or a screen that cannot be read. */
  readonly as: "dialog" | "list" | "picture";
  /** It draws only then, and reads nothing until it has. */
  readonly busyMs: number;
  /**
   * How the tool draws. As agents do, it may write only what differs, and asks something of another kind next; or the same in a
   * synchronized update, and then in any order.
   */
  readonly draws: "whole" | "changes" | "update";
}

export interface Ran {
  readonly asked: string;
  readonly took: string | null;
  readonly outcome: string;
  readonly evidence: string;
}

export class SwapRig {
  readonly #folder = mkdtempSync(join(tmpdir(), "swap-"));
  readonly #screen = new Screen(SIZE);
  readonly #server: Server;
  readonly #terminal: Terminal;
  readonly #port: TerminalDriver;
  readonly #tool: Promise<Socket>;
  #took: string | null = null;
  #onTook: () => void = () => undefined;
  #onSwapped: () => void = () => undefined;
  #count = 0;

  constructor() {
    const path = join(this.#folder, "talk");
    this.#server = createServer();
    this.#tool = new Promise((resolve) => this.#server.once("connection", resolve));
    this.#server.listen(path);
    const puppet = new URL("swap-puppet.mjs", import.meta.url).pathname;
    this.#terminal = openPty({
      command: [process.execPath, puppet, path],
      env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color" },
      cwd: this.#folder,
      size: SIZE,
      clock: systemClock,
    });
    this.#terminal.onData((chunk) => this.#screen.write(chunk));
    const adapter = shippedAdapter("claude");
    this.#port = new TerminalDriver(this.#terminal, this.#screen, systemClock, {
      detect: (view) => detect(adapter, view, {}).candidate,
      detectState: () => null,
      hasEmptyComposer: () => false,
      typedAt: () => -Infinity,
      foregroundGroup: () => null,
      isEnding: () => false,
    });
  }

  async start(): Promise<this> {
    createInterface({ input: await this.#tool }).on("line", (line) => {
      const told = JSON.parse(line) as { readonly took?: string | null; readonly swapped?: string };
      if (told.swapped !== undefined) this.#onSwapped();
      if (told.took === undefined) return;
      this.#took = told.took;
      this.#onTook();
    });
    return this;
  }

  async run({ then, swapAfterMs, as, busyMs, draws }: Race): Promise<Ran> {
    const asked = `old-${++this.#count}`;
    this.#took = null;
    const taken = new Promise<void>((resolve) => (this.#onTook = resolve));
    const swapped = new Promise<void>((resolve) => (this.#onSwapped = resolve));
    await this.#tell({ ask: asked, then, draws });
    const raised = await this.#shown(asked);
    if (swapAfterMs !== null)
      await this.#tell({ swap: asked.replace("-", " -"), as, afterMs: swapAfterMs, busyMs });
    const result = await injectAnswer(this.#port, raised, replyTo(raised, "1"), () => Promise.resolve(), {
      raisedGroup: null,
      timings: TIMINGS,
    });
    if (result.kind === "receipt" && result.receipt.bytesWritten > 0) await taken;
    // What the tool draws later belongs to this race.
    if (swapAfterMs !== null) await swapped;
    return { asked, took: this.#took, ...readOutcome(result) };
  }

  async close(): Promise<void> {
    (await this.#tool).destroy();
    this.#server.close();
    this.#terminal.kill("SIGKILL");
    await this.#terminal.exited;
    this.#terminal.close();
    this.#screen.dispose();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #tell(message: object): Promise<void> {
    (await this.#tool).write(`${JSON.stringify(message)}\n`);
  }

  async #shown(id: string): Promise<Candidate> {
    const look = (): Candidate | null => {
      const live = this.#port.detect();
      return live?.content.text.endsWith(`/${id}`) ? live : null;
    };
    const found = await waitFor(this.#port, look, HANG_MS);
    if (!found) throw new Error(`never asked: ${id}`);
    return found;
  }
}

function readOutcome(result: InjectionResult): Pick<Ran, "outcome" | "evidence"> {
  if (result.kind === "refused") return { outcome: "refused", evidence: result.rejection.code };
  return { outcome: result.receipt.outcome, evidence: result.receipt.evidence };
}
