/** A home of its own with the real command: everything that a process test starts in it is gone when it is closed. */
import { spawn, type ChildProcess } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identifyHub, type HubHello } from "../../src/client/connect/meet-hub.js";
import { AtlasBridgeError } from "../../src/model/errors.js";
import { resolvePaths, type Paths } from "../../src/config/paths.js";
import { HANG_MS } from "./hang-guards.js";
import { trustAddresses } from "./trust.js";

export const MAIN = join(import.meta.dirname, "../../dist/main.js");

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface HubHomeOptions {
  /** Where the home lies in the test's own folder; default: it is that folder. */
  readonly inside?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Everything runs as this user, whose the home is. Only root can ask for that. */
  readonly uid?: number;
}

export class HubHome {
  readonly #root = mkdtempSync(join(tmpdir(), "atb-"));
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly paths: Paths;
  readonly #children = new Set<ChildProcess>();

  readonly #user: { readonly uid?: number; readonly gid?: number } = {};

  constructor({ inside = "", env = {}, uid: other }: HubHomeOptions = {}) {
    this.folder = join(this.#root, inside);
    if (other !== undefined) {
      this.#user = { uid: other, gid: other };
      chownSync(this.#root, other, other);
    }
    // The tests themselves may run under AtlasBridge; their commands are not those of a supervised tool.
    this.env = { ...process.env, ATLASBRIDGE_SESSION: "", ATLASBRIDGE_HOME: this.folder, ...env };
    const uid = process.getuid?.() ?? 0;
    this.paths = resolvePaths({ env: this.env, userHome: null, tmpDir: env.TMPDIR ?? tmpdir(), uid });
  }

  start(...args: string[]): ChildProcess {
    return this.startProgram(MAIN, ...args);
  }

  /** The same with another version of the program. */
  startProgram(main: string, ...args: string[]): ChildProcess {
    const child = spawn(process.execPath, [main, ...args], { env: this.env, ...this.#user });
    this.#children.add(child);
    return child;
  }

  async run(...args: string[]): Promise<Finished> {
    return finished(this.start(...args));
  }

  /** `data` of a command's JSON envelope. */
  async data<T>(...args: string[]): Promise<T> {
    const { stdout, stderr } = await this.run(...args, "--json");
    const envelope = JSON.parse(stdout) as { status: string; data: T };
    if (envelope.status !== "success") throw new Error(`${args.join(" ")}: ${stdout}${stderr}`);
    return envelope.data;
  }

  /** What the hub that serves says of itself, or null. */
  async hub(): Promise<HubHello | null> {
    const met = await identifyHub({ paths: this.paths }).catch(isFalseHub);
    met?.hub.close();
    return met && met.hello;
  }

  /** Confirms the addresses that the configuration names, as a person does once. Only while no hub runs. */
  trust(): Promise<void> {
    return trustAddresses(this.paths);
  }

  async hubPid(): Promise<number | null> {
    return (await this.hub())?.pid ?? null;
  }

  async close(): Promise<void> {
    if (this.#user.uid === undefined) {
      const pid = await this.hubPid();
      if (pid !== null) process.kill(pid, "SIGKILL");
    } else await this.run("hub", "stop");
    for (const child of this.#children) child.kill("SIGKILL");
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** For those who wait for a hub, what only pretends to be one is none, and neither is one that does not answer. */
function isFalseHub(error: unknown): null {
  const none = ["ATB_HUB_IMPOSTOR", "ATB_HUB_SILENT"];
  if (error instanceof AtlasBridgeError && none.includes(error.code)) return null;
  throw error;
}

export async function finished(child: ChildProcess): Promise<Finished> {
  const texts = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: Buffer) => (texts.stdout += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (texts.stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, ...texts };
}

/** Waits for a condition on real processes; asks again every few milliseconds. */
export async function eventually<T>(
  look: () => Promise<T | null | false> | T | null | false,
  withinMs = HANG_MS,
): Promise<T> {
  for (const deadline = Date.now() + withinMs; ;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    if (Date.now() > deadline) throw new Error("it never came to be");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
