/** Everything a person has: a home, a phone that only this hub talks to, terminals to run tools in. Nothing of it outlives `close`. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import type { ListedPrompt, ListedSession } from "../../../src/wire/listings.js";
import { TIMEOUT_FACTOR } from "../../../src/worker/prompts/limits.js";
import { eventually, HubHome, MAIN } from "../hub-home.js";
import type { TerminalSize } from "../real-cli/terminal.js";
import { cleanEnv } from "../real-cli/workspace.js";
import { startTelegram, type TelegramEmulator, type User } from "../telegram/emulator.js";
import { readDatabase } from "../../property/hub/read-database.js";
import { Phone } from "./phone.js";
import { readCommand, isAlive, listProcesses, RIG_MARK } from "./processes.js";
import { Run } from "./run.js";

export interface RigOptions {
  readonly prompts?: Readonly<Record<string, unknown>>;
  readonly exec?: Readonly<Record<string, unknown>>;
  readonly agents?: Readonly<Record<string, unknown>>;
  /** Channels beside the phone's, as they stand in the configuration. */
  readonly channels?: Readonly<Record<string, unknown>>;
  /** Ara's identities on them. */
  readonly identities?: readonly string[];
  /** Ben has a phone as well, gets every card and may answer, or may only look on. */
  readonly ben?: boolean | "viewer";
  /** A group in Telegram that gets every card as well; its topics are the sessions. */
  readonly group?: number;
  /** The home of another hub, whose bot this one uses as well. */
  readonly beside?: Rig;
}

export interface RunOptions extends Partial<TerminalSize> {
  readonly label?: string;
  readonly cwd?: string;
  /** The tool's environment. Default: a clean one. */
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of `run` itself. */
  readonly flags?: readonly string[];
}

/** Gives a test its own rig, and takes it away whatever happens. */
export async function withRig(work: (rig: Rig) => Promise<void>, options: RigOptions = {}): Promise<void> {
  const rig = await Rig.start(options);
  try {
    await work(rig);
  } catch (problem) {
    const notices = rig.phone.notices.join("\n");
    if (problem instanceof Error)
      problem.message += `\nThe record:\n${rig.record.join("\n")}\nThe phone besides cards:\n${notices}`;
    throw problem;
  } finally {
    await rig.close();
  }
}

const ARA = 1001;
const BEN = 1002;
const STRANGER = 6666;
const SIZE: TerminalSize = { cols: 120, rows: 40 };

export class Rig {
  readonly telegram: TelegramEmulator;
  /** Ara's, who may answer. */
  readonly phone: Phone;
  /** Ben's; only where the options say so does anything come there. */
  readonly ben: Phone;
  /** Somebody who found the bot. */
  readonly stranger: User;
  readonly home = new HubHome();
  readonly #runs: Run[] = [];
  readonly #ownsBot: boolean;

  private constructor(telegram: TelegramEmulator, options: RigOptions) {
    this.telegram = telegram;
    this.#ownsBot = options.beside === undefined;
    const isPosted = (id: number): boolean => this.isPosted(id);
    this.phone = new Phone(telegram, telegram.user(ARA, "Ara"), isPosted);
    this.ben = new Phone(telegram, telegram.user(BEN, "Ben"), isPosted);
    this.stranger = telegram.user(STRANGER, "Mallory");
    // Commands may start a hub, too.
    Object.assign(this.home.env, { [RIG_MARK]: this.home.folder });
    this.#writeConfig(options);
  }

  static async start(options: RigOptions = {}): Promise<Rig> {
    const rig = new Rig(options.beside?.telegram ?? (await startTelegram()), options);
    await rig.home.trust();
    return rig;
  }

  /** Starts `atlasbridge run` around a command in a terminal. */
  run(command: readonly string[], options: RunOptions = {}): Run {
    const label = options.label ?? `run-${this.#runs.length + 1}`;
    const flags = ["--label", label, ...(options.flags ?? [])];
    return this.start([process.execPath, MAIN, "run", ...flags, ...command], { ...options, label });
  }

  /** Starts any command in a terminal, as it is: a shell, say, in which `atlasbridge run` is typed. */
  start(command: readonly string[], options: RunOptions = {}): Run {
    const { label = "", cwd = this.home.folder, env = cleanEnv(this.home.folder), ...size } = options;
    const [file = "", ...args] = command;
    const own = {
      ATLASBRIDGE_HOME: this.home.folder,
      [RIG_MARK]: this.home.folder,
      [TIMEOUT_FACTOR]: process.env[TIMEOUT_FACTOR] ?? "",
    };
    const run = new Run(
      label,
      { file, args, cwd, env: { ...env, ...own } },
      { ...SIZE, ...size },
      this.phone,
    );
    this.#runs.push(run);
    return run;
  }

  /** Process id of the hub that serves. */
  hubPid(): Promise<number> {
    return eventually(() => this.home.hubPid());
  }

  /** Kills the hub like a power cut does. Resolves with its process id when it is gone. */
  async killHub(): Promise<number> {
    const pid = await this.hubPid();
    process.kill(pid, "SIGKILL");
    await eventually(() => !isAlive(pid));
    return pid;
  }

  /** All prompts there ever were. */
  prompts(): Promise<ListedPrompt[]> {
    return this.home.data("prompts", "--all");
  }

  /** All sessions there ever were. */
  sessions(): Promise<ListedSession[]> {
    return this.home.data("sessions", "--all");
  }

  isPosted(messageId: number): boolean {
    const sql =
      "SELECT 1 FROM deliveries WHERE channel = 'telegram' AND ref ->> 'messageId' = CAST(? AS INTEGER)";
    return readDatabase(this.home.paths.database, sql, [String(messageId)]).length > 0;
  }

  /** What is on record of prompts and answers: a card does not say why there is no proof. */
  get record(): readonly string[] {
    const { database } = this.home.paths;
    if (!existsSync(database)) return [];
    const sql = "SELECT at, step, details FROM audit WHERE prompt_id IS NOT NULL ORDER BY position";
    const rows = readDatabase<{ at: number; step: string; details: string }>(database, sql);
    return rows.map(({ at, step, details }) => `${new Date(at).toISOString()} ${step} ${details}`);
  }

  /** Closes the windows, ends the hub, and throws if anything is left: a tool must end with its window. */
  async close(): Promise<void> {
    await Promise.all(this.#runs.map((run) => run.close()));
    await eventually(() => this.#endHub()).catch(() => {
      const left = listProcesses(this.home.folder).map(readCommand);
      throw new Error(`still running: ${left.join("; ")}`);
    });
    await this.home.close();
    if (this.#ownsBot) await this.telegram.stop();
  }

  /** A hub may still be on its way up. True when nothing is left. */
  async #endHub(): Promise<boolean> {
    const pid = await this.home.hubPid();
    if (pid !== null) process.kill(pid, "SIGKILL");
    return listProcesses(this.home.folder).length === 0;
  }

  #writeConfig({
    prompts,
    exec,
    agents,
    channels = {},
    identities = [],
    ben = false,
    group,
  }: RigOptions): void {
    const { telegram } = this;
    const chats = [ARA, ...(ben === true ? [BEN] : []), ...(group === undefined ? [] : [group])];
    if (group !== undefined) telegram.group(group, "Work", { forum: true });
    const place = { token: "file:token", api_root: telegram.apiRoot, deliver_to: chats };
    const role = ben === "viewer" ? "viewer" : "approver";
    const inSlack = "slack" in channels ? ["slack:T0TEAM/U0BEN"] : [];
    const other = { name: "Ben", identities: [`telegram:${BEN}`, ...inSlack], role };
    writeFileSync(join(this.home.folder, "token"), telegram.token, { mode: 0o600 });
    const config = {
      people: [
        { name: "Ara", identities: [`telegram:${ARA}`, ...identities], role: "approver" },
        ...(ben ? [other] : []),
      ],
      channels: { telegram: place, ...channels },
      // What a test types at a terminal holds no card back, unless that is what it is about.
      prompts: { deliver_after: "0s", ...prompts },
      ...(exec && { exec }),
      ...(agents && { agents }),
    };
    writeFileSync(this.home.paths.config, stringify(config), { mode: 0o600 });
  }
}
