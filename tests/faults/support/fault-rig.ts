/** A person with a phone, one hub, one agent in a terminal at a time, and a hand that breaks things at named steps. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { stringify } from "yaml";
import { TIMEOUT_FACTOR } from "../../../src/worker/prompts/limits.js";
import { HubHome, eventually } from "../../support/hub-home.js";
import { Phone } from "../../support/rig/phone.js";
import { isAlive, listProcesses, RIG_MARK, runAround } from "../../support/rig/processes.js";
import { Run } from "../../support/rig/run.js";
import { cleanEnv } from "../../support/real-cli/workspace.js";
import { startTelegram, type TelegramEmulator } from "../../support/telegram/emulator.js";
import { AgentLog } from "./agent-log.js";
import { DISK_FULL, faultFolder } from "./orders.js";
import { writeOwnAdapter } from "../../support/own-adapter.js";

const ARA = 1001;
const AGENT = join(import.meta.dirname, "../../fixtures/agents/asks-for-ever.mjs");

const ADAPTER = `
schema: 1
name: asks-for-ever
version: 1.0.0
description: Asks one question after the other
family: agent
process: {}
rules:
  - name: job
    shape: list
    class: permission
    confidence: HIGH
    list: { glyphs: ["❯"], numbers: none, live: [cursor] }
    top: "^─{20}"
    question: "^Shall I run job [^?]{1,40}\\\\?"
    footer: ["^Enter to confirm"]
    answer: arrows
    choices:
      - { label: "^Stop", intent: reject_once }
      - { label: "^Do", intent: allow_once }
`;

/** How long each trouble from outside lasts: longer than the armed build's patience with a busy database, shorter than a person's. */
const TROUBLE_MS = 500;

export interface Session {
  readonly label: string;
  readonly run: Run;
  readonly log: AgentLog;
}

export class FaultRig {
  readonly home = new HubHome();
  readonly telegram: TelegramEmulator;
  readonly phone: Phone;
  readonly sessions: Session[] = [];
  readonly faults: string;
  readonly #main: string;

  private constructor(telegram: TelegramEmulator, main: string) {
    this.telegram = telegram;
    this.#main = main;
    this.phone = new Phone(telegram, telegram.user(ARA, "Ara"));
    this.faults = faultFolder(this.home.folder);
    mkdirSync(this.faults, { recursive: true });
    Object.assign(this.home.env, { [RIG_MARK]: this.home.folder });
    this.#configure();
  }

  static async start(main: string): Promise<FaultRig> {
    const rig = new FaultRig(await startTelegram({ rate: null }), main);
    await rig.home.trust();
    return rig;
  }

  /** The newest session, with a new agent if the last one has ended. */
  session(): Session {
    const last = this.sessions.at(-1);
    return last && !last.log.hasEnded ? last : this.#newSession();
  }

  async hubPid(): Promise<number> {
    return eventually(() => this.home.hubPid());
  }

  workerPid(): number | null {
    const agent = this.sessions.at(-1)?.log.pid ?? null;
    return agent === null ? null : (runAround(agent) ?? null);
  }

  kill(pid: number): void {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  }

  async chatOutage(): Promise<void> {
    await this.telegram.outage();
    setTimeout(() => void this.telegram.restore(), TROUBLE_MS);
  }

  diskFull(): void {
    const flag = join(this.faults, DISK_FULL);
    writeFileSync(flag, "");
    setTimeout(() => rmSync(flag, { force: true }), TROUBLE_MS);
  }

  databaseBusy(): void {
    const database = new Database(this.home.paths.database, { timeout: 5_000 });
    database.exec("BEGIN IMMEDIATE");
    setTimeout(() => {
      database.exec("ROLLBACK");
      database.close();
    }, TROUBLE_MS);
  }

  async close(): Promise<void> {
    await this.telegram.restore();
    for (const { run, log } of this.sessions) {
      const agent = log.pid;
      if (agent !== null) this.kill(agent);
      await run.close();
    }
    await eventually(async () => {
      const pid = await this.home.hubPid();
      if (pid !== null) this.kill(pid);
      for (const left of listProcesses(this.home.folder)) this.kill(left);
      return listProcesses(this.home.folder).length === 0;
    });
    await this.home.close();
    await this.telegram.stop();
  }

  #newSession(): Session {
    const label = `a${this.sessions.length + 1}`;
    const log = join(this.home.folder, `${label}.log`);
    const env = {
      ...cleanEnv(this.home.folder),
      ATLASBRIDGE_HOME: this.home.folder,
      [RIG_MARK]: this.home.folder,
      [TIMEOUT_FACTOR]: process.env[TIMEOUT_FACTOR] ?? "",
    };
    const command = ["--label", label, "--adapter", "asks-for-ever", process.execPath, AGENT, log, label];
    const start = {
      file: process.execPath,
      args: [this.#main, "run", ...command],
      cwd: this.home.folder,
      env,
    };
    const run = new Run(label, start, { cols: 80, rows: 24 }, this.phone);
    const session = { label, run, log: new AgentLog(log) };
    this.sessions.push(session);
    return session;
  }

  #configure(): void {
    const { paths, folder } = this.home;
    writeFileSync(join(folder, "token"), this.telegram.token, { mode: 0o600 });
    const telegram = { token: "file:token", api_root: this.telegram.apiRoot, deliver_to: [ARA] };
    const config = {
      people: [{ name: "Ara", identities: [`telegram:${ARA}`], role: "approver" }],
      channels: { telegram },
      // A clock may be set several times in a row, and a new hub has the right one again.
      prompts: { expires_after: "48h", deliver_after: "0s" },
    };
    writeFileSync(paths.config, stringify(config), { mode: 0o600 });
    writeOwnAdapter(paths, "asks-for-ever", ADAPTER);
  }
}
