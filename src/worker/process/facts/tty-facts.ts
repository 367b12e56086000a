/** Reads facts about the tool's terminal besides its output: input mode, which process reads, whether it waits. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Signals } from "../../../sdk/view.js";
import { ToolProcessFacts, type TerminalReaders } from "./process-facts.js";
import type { Terminal } from "../terminal.js";

/** `stty` answers in milliseconds. Otherwise the modes stay unknown. */
const STTY_TIMEOUT_MS = 1000;

export type TtySignals = Pick<Signals, "canonical" | "echo" | "blockedOnRead" | "readsInside" | "foreground">;

export type SttyCall = (path: string) => Promise<string>;

export interface TtyFactsOptions {
  readonly processes?: ToolProcessFacts;
  readonly stty?: SttyCall;
}

type TtySide = Pick<Terminal, "pid" | "ptsPath"> & Partial<Pick<Terminal, "readInputMode">>;

/** Read only while the output is quiet: where the terminal cannot tell its mode itself, every `read` starts a process. */
export class TtyFacts {
  readonly #tty: TtySide;
  readonly #processes: ToolProcessFacts;
  readonly #stty: SttyCall;

  constructor(tty: TtySide, options: TtyFactsOptions = {}) {
    this.#tty = tty;
    this.#processes = options.processes ?? new ToolProcessFacts();
    this.#stty = options.stty ?? runStty;
  }

  findForegroundGroup(): number | undefined {
    return this.#processes.findForegroundGroup(this.#tty.pid);
  }

  /** Finds the processes of the terminal's session, also those whose parents have ended. Reads some small files. */
  findMembers(): readonly string[] {
    return this.#processes.findMembers(this.#tty.pid, process.pid);
  }

  findReaders(): TerminalReaders {
    const { pid, ptsPath } = this.#tty;
    return ptsPath === null ? { blocked: undefined, readers: [] } : this.#processes.findReaders(pid, ptsPath);
  }

  /**
   * Reads what can be known now; anything else is absent. Never rejects. The parts belong together: a tool that is blocked while
   * its settings are read does not change them, so the settings of one moment never appear beside the waiting of another (a
   * password prompt is first printed, then its echo is turned off, and only then does the tool wait). `looksOutside`: a password may also be
   * asked for by a process of another session.
   */
  async read(looksOutside = false): Promise<TtySignals> {
    const { pid, ptsPath } = this.#tty;
    const before = this.findReaders().blocked;
    const modes = this.#tty.readInputMode?.() ?? (await this.#askStty());
    const blockedOnRead = this.findReaders().blocked === before ? before : undefined;
    const foreground = this.#processes.findForegroundName(pid, ptsPath);
    const readsInside = ptsPath === null ? undefined : this.#processes.isReadInside(pid, ptsPath);
    const isHidden = blockedOnRead === false && modes.canonical === true && modes.echo === false;
    const isOutside =
      looksOutside && isHidden && ptsPath !== null && this.#processes.isReadFromOutside(ptsPath);
    return {
      ...modes,
      ...(foreground === undefined ? {} : { foreground }),
      ...(blockedOnRead === undefined ? {} : { blockedOnRead: blockedOnRead || isOutside }),
      ...(readsInside === true ? { readsInside } : {}),
    };
  }

  async #askStty(): Promise<TtySignals> {
    const { ptsPath } = this.#tty;
    return ptsPath === null ? {} : this.#stty(ptsPath).then(parseStty, () => ({}));
  }
}

export function parseStty(text: string): TtySignals {
  const words = new Set(text.split(/[\s;]+/));
  const canonical = readFlag(words, "icanon");
  const echo = readFlag(words, "echo");
  return { ...(canonical === undefined ? {} : { canonical }), ...(echo === undefined ? {} : { echo }) };
}

function readFlag(words: ReadonlySet<string>, name: string): boolean | undefined {
  return words.has(name) ? true : words.has(`-${name}`) ? false : undefined;
}

const run = promisify(execFile);

async function runStty(path: string): Promise<string> {
  const device = process.platform === "linux" ? "-F" : "-f";
  const options = { timeout: STTY_TIMEOUT_MS, env: { ...process.env, LC_ALL: "C" } };
  return (await run("stty", [device, path, "-a"], options)).stdout;
}
