/** A tool that is joined beside its terminal, under the name of one whose adapter knows how; its server and its strings are the test's. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { readKnownVersion } from "../../../src/worker/runtimes/tool-version.js";
import { AppServerDouble, IDLE, WAITING, WORKING } from "../app-server.js";
import { COMPOSER, drawDialog, drawReport, makeRequest } from "../codex-screens.js";
import { eventually } from "../hub-home.js";
import { cleanEnv } from "../real-cli/workspace.js";
import { Strings } from "../strings.js";
import type { Rig } from "./rig.js";
import type { Run } from "./run.js";

const PUPPET = pathToFileURL(resolve("tests/fixtures/agents/puppet.mjs")).href;
const PROGRAM = `#!${process.execPath}
if (process.argv[2] === "--version") console.log("codex-cli 0.169.0");
else {
  process.stdin.setRawMode(true);
  import(${JSON.stringify(PUPPET)});
}
`;
/** The socket's name, in the tool's own folder, is a link. */
const CONTROL = "app-server-control";

export class JoinedRun {
  readonly run: Run;
  readonly server: AppServerDouble;
  readonly #strings: Strings;

  private constructor(run: Run, server: AppServerDouble, strings: Strings) {
    this.run = run;
    this.server = server;
    this.#strings = strings;
  }

  /** Gives a test its own, whose interface is up; `args`: of the tool. */
  static async with(
    rig: Rig,
    {
      args = [],
      flags = [],
      label = "joined",
    }: { args?: readonly string[]; flags?: readonly string[]; label?: string },
    test: (tool: JoinedRun) => Promise<void>,
  ): Promise<void> {
    const [server, strings] = [await AppServerDouble.start("mine"), await Strings.open()];
    const { paths } = rig.home;
    const folder = join(rig.home.folder, label);
    mkdirSync(folder, { mode: 0o700 });
    mkdirSync(join(folder, CONTROL), { mode: 0o700 });
    symlinkSync(server.path, join(folder, CONTROL, `${CONTROL}.sock`));
    const file = join(folder, "codex");
    writeFileSync(file, PROGRAM);
    chmodSync(file, 0o700);
    // However busy the machine is, its version is known.
    expect(await readKnownVersion(file, process.env, paths, { limitMs: 60_000 })).toBe("0.169.0");
    const env = { ...cleanEnv(folder), CODEX_HOME: folder, ...strings.environment };
    const run = rig.run([file, ...args], { label, env, flags, cols: 80, rows: 24 });
    const tool = new JoinedRun(run, server, strings);
    try {
      await eventually(() => strings.isTied);
      tool.#draws(drawReport("idle") + COMPOSER);
      await test(tool);
    } finally {
      await run.close();
      strings.close();
      await server.close();
    }
  }

  get heard(): string {
    return this.#strings.heard;
  }

  get isJoined(): boolean {
    return this.server.asked.includes("thread/resume");
  }

  /** Its turns begin and end until somebody has seen that the thread is its own; it works then. */
  async becomesKnown(): Promise<void> {
    await eventually(() => this.server.asked.includes("thread/read"));
    for (let restMs = 400; !this.isJoined; restMs *= 1.5) {
      const isWorking = this.server.threads[0]?.status === WORKING;
      this.#draws(drawReport(isWorking ? "idle" : "working"));
      this.server.does("mine", isWorking ? IDLE : WORKING);
      await eventually(() => this.isJoined, restMs).catch(() => undefined);
    }
  }

  draws(command: string): void {
    this.#draws(drawReport("blocked") + drawDialog(command));
  }

  asks(id: number, command: string): void {
    this.server.does("mine", WAITING);
    this.server.tell(makeRequest(id, command, "mine"));
  }

  /** As it does when its server says that it is answered. */
  goesOn(id: number): void {
    this.server.resolve("mine", id);
    this.server.does("mine", WORKING);
    this.#draws(drawReport("working") + COMPOSER);
  }

  /** As it does when it was interrupted. */
  rests(): void {
    this.server.does("mine", IDLE);
    this.#draws(drawReport("idle") + COMPOSER);
  }

  exits(): void {
    this.#strings.exits(7);
  }

  #draws(text: string): void {
    this.#strings.draws(text);
  }
}
