/** `atlasbridge run claude`, with recorded bytes of the real one in its place. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../hub-home.js";
import type { TerminalSize } from "../real-cli/terminal.js";
import { cleanEnv } from "../real-cli/workspace.js";
import { nameOfSize, SIZES } from "./claude-dialogs.js";
import { runAround } from "./processes.js";
import type { Rig, RunOptions } from "./rig.js";
import type { Run } from "./run.js";

const FIXTURES = join(import.meta.dirname, "../../fixtures");
const AGENT = join(FIXTURES, "agents/replays-claude.mjs");
const RECORDINGS = join(FIXTURES, "recordings/claude-dialogs");

export interface ReplayOptions extends RunOptions {
  /** claude's own arguments. Default: its asking mode. */
  readonly args?: readonly string[];
}

export interface ReplayEvent {
  /** ms since 1970, with fractions. */
  readonly at: number;
  readonly pid?: number;
  readonly args?: readonly string[];
  /** Keys since the dialog was opened, at each picture. */
  readonly drew?: readonly string[];
  readonly in?: string;
  readonly took?: readonly string[];
  /** A key that came too soon after the dialog. */
  readonly dropped?: string;
  readonly idle?: true;
}

/** Bytes by which a terminal answers a program; nobody typed them. */
const TERMINAL_ANSWER = /^(?:\x1b\[[?>]?[\d;]*[cnRu]|\x1b\[[IO]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\))+$/;

export class Replay {
  readonly run: Run;
  readonly #log: string;

  private constructor(run: Run, log: string) {
    this.run = run;
    this.#log = log;
  }

  /** Starts `atlasbridge run claude`; it shows these dialogs, each after the one before was answered. */
  static start(rig: Rig, dialogs: readonly string[], options: ReplayOptions = {}): Replay {
    const { args = ["--permission-mode", "manual"], label = "claude", ...others } = options;
    const size = chooseSize(options);
    const env = { ...replayEnv(rig, dialogs, size), ...replayLog(rig, label) };
    return new Replay(rig.run(["claude", ...args], { ...others, ...size, label, env }), env.REPLAY_LOG);
  }

  /** The same in a shell that is given the command line. */
  static inShell(rig: Rig, dialogs: readonly string[], script: string, label: string): Replay {
    const size = chooseSize({});
    const env = { ...replayEnv(rig, dialogs, size), ...replayLog(rig, label) };
    return new Replay(rig.start(["bash", "-c", script], { ...size, label, env }), env.REPLAY_LOG);
  }

  get events(): readonly ReplayEvent[] {
    if (!existsSync(this.#log)) return [];
    const lines = readFileSync(this.#log, "utf8").split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line) as ReplayEvent);
  }

  /** What was typed into it, by whomever. */
  get typed(): readonly string[] {
    return this.events
      .map((event) => event.in ?? "")
      .filter((keys) => keys !== "" && !TERMINAL_ANSWER.test(keys));
  }

  get taken(): readonly (readonly string[])[] {
    return this.events.flatMap(({ took }) => (took ? [took] : []));
  }

  /** Of the replay, and of the `atlasbridge run` around it. */
  async pids(): Promise<{ tool: number; worker: number }> {
    const { pid = 0 } = await eventually(() => this.events[0] ?? null);
    return { tool: pid, worker: runAround(pid) ?? 0 };
  }

  answered(count: number): Promise<unknown> {
    return eventually(() => this.taken.length >= count);
  }
}

function chooseSize({ cols = SIZES[0]!.cols, rows = SIZES[0]!.rows }: Partial<TerminalSize>): TerminalSize {
  return { cols, rows };
}

/** An environment in which `claude` is the replay. */
function replayEnv({ home }: Rig, dialogs: readonly string[], size: TerminalSize): Record<string, string> {
  const bin = join(home.folder, "bin");
  mkdirSync(bin, { recursive: true });
  if (!existsSync(join(bin, "claude"))) symlinkSync(AGENT, join(bin, "claude"));
  const files = dialogs.map((name) => join(RECORDINGS, `${name}-${nameOfSize(size)}.json`));
  const env = cleanEnv(home.folder);
  return { ...env, PATH: `${bin}:${env["PATH"] ?? ""}`, REPLAY_RECORDINGS: files.join(":") };
}

function replayLog({ home }: Rig, label: string): { REPLAY_LOG: string } {
  return { REPLAY_LOG: join(home.folder, `replay-${label}.log`) };
}
