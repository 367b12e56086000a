/** A copy of the checkout for another Node, with addons of its own: the checkout itself stays as it is. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { makeEnvironment, npmScript, quietly } from "./commands.js";

/** Compiled for one Node they do not load in another; node-pty's would, but is built as a user of that Node builds it. */
const ADDONS = ["better-sqlite3", "node-pty"] as const;
/** What npm built once for a Node; SQLite alone takes a minute. */
const CACHE = resolve(".cache/nodes");

export interface NodeProgram {
  readonly version: string;
  readonly file: string;
  readonly root: string;
}

export class Tree {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "atb-node-")));
  readonly #node: NodeProgram;

  constructor(node: NodeProgram) {
    this.#node = node;
  }

  /** Rejects when npm cannot build an addon. */
  async fill(): Promise<void> {
    await this.#copySources();
    await this.#copyModules();
    for (const addon of ADDONS) await this.#build(addon);
  }

  close(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  async #copySources(): Promise<void> {
    const listed = await quietly("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: process.cwd(),
    });
    for (const file of listed.split("\0").filter((name) => name !== "" && existsSync(name))) {
      mkdirSync(dirname(join(this.root, file)), { recursive: true });
      cpSync(file, join(this.root, file));
    }
  }

  /** By hard links where the disk is the same; nothing here writes into a file of a package. */
  async #copyModules(): Promise<void> {
    const from = `${realpathSync("node_modules")}/.`;
    const target = join(this.root, "node_modules");
    const cwd = process.cwd();
    mkdirSync(target);
    await quietly("cp", ["-al", from, target], { cwd }).catch(() =>
      quietly("cp", ["-a", from, target], { cwd }),
    );
    for (const addon of ADDONS) rmSync(this.#built(addon), { recursive: true, force: true });
  }

  async #build(addon: string): Promise<void> {
    const { version } = JSON.parse(readFileSync(join("node_modules", addon, "package.json"), "utf8")) as {
      version: string;
    };
    const kept = join(CACHE, this.#node.version, `${addon}@${version}`);
    if (!existsSync(kept)) {
      await this.#rebuild(addon);
      keep(this.#built(addon), kept);
    } else cpSync(kept, this.#built(addon), { recursive: true });
  }

  /** npm itself is run by that Node, so that everything it starts builds for it. */
  async #rebuild(addon: string): Promise<void> {
    const { file, root } = this.#node;
    const env = makeEnvironment(file, { npm_config_nodedir: root });
    await quietly(file, [await npmScript(), "rebuild", addon], { cwd: this.root, env });
  }

  #built(addon: string): string {
    return join(this.root, "node_modules", addon, "build");
  }
}

/** Beside its place first: another run may keep the same. */
function keep(built: string, kept: string): void {
  const draft = `${kept}.${process.pid}`;
  cpSync(built, draft, { recursive: true });
  try {
    renameSync(draft, kept);
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
}
