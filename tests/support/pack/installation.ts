/** The package as somebody gets it: packed, and installed by npm into folders that are gone afterwards. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A demo shows five questions at a person's pace; on a busy machine it takes a minute. */
const COMMAND_LIMIT_MS = 240_000;
/** Compiling SQLite takes a minute, beside other work five. */
const INSTALL_LIMIT_MS = 900_000;
/** A registry that leaves one request without an answer is asked again after a minute, and not after npm's five. */
const PATIENT_NPM = { npm_config_fetch_timeout: "60000", npm_config_fetch_retries: "5" };
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), "atb-pack-"));
  readonly #env: NodeJS.ProcessEnv;
  tarball = "";

  constructor() {
    const home = join(this.folder, "home");
    mkdirSync(home, { mode: 0o700 });
    // What the `npm run` around us says of itself is about this checkout, not about the installation.
    const foreign = Object.entries(process.env).filter(([name]) => !/^(?:npm_|INIT_CWD$)/i.test(name));
    this.#env = { ...Object.fromEntries(foreign), ...PATIENT_NPM, ATLASBRIDGE_HOME: home };
  }

  async pack(): Promise<void> {
    const { stdout } = await this.npm(
      ["pack", "--json", "--ignore-scripts", `--pack-destination=${this.folder}`],
      process.cwd(),
    );
    const [packed] = JSON.parse(stdout) as { filename: string }[];
    this.tarball = join(this.folder, packed?.filename ?? "");
  }

  place(name: string): string {
    const path = join(this.folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  async npm(args: readonly string[], cwd = this.folder): Promise<Ended> {
    const ended = await this.#end("npm", args, { cwd, limitMs: INSTALL_LIMIT_MS });
    if (ended.code !== 0) throw new Error(`npm ${args.join(" ")} failed:\n${ended.stderr}`);
    return ended;
  }

  run(
    file: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    cwd: string = this.folder,
  ): Promise<Ended> {
    return this.#end(file, args, { cwd, limitMs: COMMAND_LIMIT_MS, env });
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #end(
    file: string,
    args: readonly string[],
    { cwd, limitMs, env = {} }: { cwd: string; limitMs: number; env?: NodeJS.ProcessEnv },
  ): Promise<Ended> {
    const options = { cwd, env: { ...this.#env, ...env }, timeout: limitMs, maxBuffer: OUTPUT_BYTES_MAX };
    return new Promise((resolve) => {
      execFile(file, [...args], options, (error, stdout, stderr) => {
        const code = typeof error?.code === "number" ? error.code : error ? -1 : 0;
        resolve({ code, stdout, stderr });
      });
    });
  }
}
