/** `atlasbridge run` around one of the habit-* agents, which log every byte, with an adapter file that says how their rows are taken. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../hub-home.js";
import type { Rig } from "./rig.js";
import type { Run } from "./run.js";
import { writeOwnAdapter } from "../own-adapter.js";

const AGENTS = join(import.meta.dirname, "../../fixtures/agents");

/** How the adapter file takes a row; the agent may have other habits. */
export type Taking = "digit" | "arrows";

/** `more`: further keys of the adapter, and of its one rule. */
export interface HabitAdapter {
  readonly taking: Taking;
  readonly choices?: readonly string[];
  readonly rule?: string;
  readonly more?: string;
  /** Arguments of the agent behind its log. */
  readonly options?: readonly string[];
  /** A shell is the supervised tool, and the agent is started in it. */
  readonly inShell?: boolean;
}

export interface HabitEntry {
  readonly pid?: number;
  readonly in?: string;
  readonly took?: unknown;
  readonly [key: string]: unknown;
}

const adapterFile = (name: string, { taking, choices = [], rule = "", more = "" }: HabitAdapter): string => `
schema: 1
name: ${name}
version: 1.0.0
description: An agent with habits
family: agent
process: {}
${more}
rules:
  - name: question
    shape: list
    class: permission
    confidence: HIGH
    list: { glyphs: ["❯"], numbers: ${taking === "digit" ? "required" : "either"}, live: [cursor] }
    header: "^([^?]{1,60}\\\\?)$"
    footer: ["^Enter to confirm"]
    answer: ${taking}
    ${rule}
    choices:
${[...choices, '{ label: "^No", intent: reject_once }', '{ label: "^", intent: allow_once }']
  .map((choice) => `      - ${choice}`)
  .join("\n")}
`;

export class Habit {
  readonly run: Run;
  readonly #log: string;

  private constructor(run: Run, log: string) {
    this.run = run;
    this.#log = log;
  }

  /** The session's label is the agent's name. */
  static start(rig: Rig, agent: string, adapter: HabitAdapter): Habit {
    writeOwnAdapter(rig.home.paths, agent, adapterFile(agent, adapter));
    const log = join(rig.home.folder, `${agent}.log`);
    const command = [process.execPath, join(AGENTS, `habit-${agent}.mjs`), log, ...(adapter.options ?? [])];
    const options = { label: agent, flags: ["--adapter", agent] };
    if (!adapter.inShell) return new Habit(rig.run(command, options), log);
    const run = rig.run(["bash", "--norc", "-i"], options);
    run.terminal.press(`${command.join(" ")}\r`);
    return new Habit(run, log);
  }

  get entries(): readonly HabitEntry[] {
    if (!existsSync(this.#log)) return [];
    const lines = readFileSync(this.#log, "utf8").split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as HabitEntry);
  }

  get received(): string {
    return this.entries.map((entry) => entry.in ?? "").join("");
  }

  get took(): readonly unknown[] {
    return this.entries.filter((entry) => "took" in entry).map(({ took }) => took);
  }

  get pid(): number {
    return this.entries[0]?.pid ?? 0;
  }

  async hears(keys: string): Promise<void> {
    await eventually(() => this.received.includes(keys));
  }
}
