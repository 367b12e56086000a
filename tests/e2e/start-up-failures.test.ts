/**
 * A tool runs, and its user is told what is not relayed, when something of ours fails at the start. It does not start where
 * relaying is required.
 */
import { makeFileFolder } from "../support/temporary-folder.js";
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { finished, HubHome, MAIN } from "../support/hub-home.js";

const folder = makeFileFolder("broken");

/** This program, installed with only some of its native addons. */
function installedWith(...addons: readonly string[]): string {
  const root = join(folder, `with-${addons.join("-") || "none"}`);
  if (existsSync(root)) return join(root, "dist/main.js");
  const source = join(MAIN, "../..");
  for (const part of ["dist", "adapters", "package.json"])
    cpSync(join(source, part), join(root, part), { recursive: true });
  mkdirSync(join(root, "node_modules"));
  for (const addon of addons)
    symlinkSync(join(source, "node_modules", addon), join(root, "node_modules", addon));
  return join(root, "dist/main.js");
}

interface Broken {
  readonly what: string;
  readonly prepare: (home: HubHome) => void;
  readonly main?: () => string;
  /** What the user is told. */
  readonly told: RegExp;
  /** Exit code with --relay-required. */
  readonly code: number;
}

const BROKEN: readonly Broken[] = [
  {
    what: "a broken configuration",
    prepare: (home) => writeFileSync(home.paths.config, "promts: {}\n", { mode: 0o600 }),
    told: /not relayed: .*config\.yaml.*promts/,
    code: 2,
  },
  {
    what: "a variable of the configuration that is not set",
    prepare: (home) =>
      writeFileSync(home.paths.config, SOMEBODY.replace("1:a", '"${NOPE_TOKEN}"'), { mode: 0o600 }),
    told: /not relayed: .*config\.yaml needs the variable NOPE_TOKEN, which is not set ·/,
    code: 2,
  },
  {
    what: "a file with a secret that is missing",
    prepare: (home) =>
      writeFileSync(home.paths.config, SOMEBODY.replace("1:a", "file:nope"), { mode: 0o600 }),
    told: /not relayed: .*config\.yaml needs .*nope, which cannot be read ·/,
    code: 2,
  },
  {
    what: "a database that is none",
    prepare: (home) => writeFileSync(home.paths.database, "no database ".repeat(1000), { mode: 0o600 }),
    told: /nothing was relayed: the hub could not be started: .*atlasbridge\.db.*ATB_STORE_DAMAGED/,
    code: 8,
  },
  {
    what: "a missing database driver",
    prepare: () => undefined,
    main: () => installedWith("node-pty"),
    told: /nothing was relayed: the hub could not be started: .*npm rebuild better-sqlite3/,
    code: 3,
  },
  {
    what: "a file in the place of the socket",
    prepare: (home) => writeFileSync(home.paths.socket, "mine"),
    told: /not relayed: .*hub\.sock is not a socket/,
    code: 6,
  },
  {
    what: "a broken adapter of the user's for the tool",
    prepare: (home) => {
      mkdirSync(home.paths.adaptersDir);
      for (const tool of ["sh", "touch"])
        writeFileSync(join(home.paths.adaptersDir, `${tool}.yaml`), "schema: 2\n");
    },
    told: /not relayed: .*sh\.yaml:1:9: "schema": expected 1, found 2 ·/,
    code: 2,
  },
  {
    what: "a file in the place of the user's adapters",
    prepare: (home) => writeFileSync(home.paths.adaptersDir, ""),
    told: /not relayed: .*adapters cannot be read \(ENOTDIR\)/,
    code: 2,
  },
  {
    what: "a directory that others may write to",
    prepare: (home) => {
      mkdirSync(home.paths.logsDir);
      chmodSync(home.paths.logsDir, 0o777);
    },
    told: /not relayed: .* may be written to by others/,
    code: 6,
  },
];

const SOMEBODY = [
  "people: [{ name: Ara, identities: [telegram:1001], role: approver }]",
  "channels: { telegram: { token: 1:a, api_root: http://127.0.0.1:9, deliver_to: [1001] } }",
].join("\n");

/** Ends when the hub that it sees has said its last words: until then nobody could know. */
const OUTLIVES = (log: string) =>
  `n=0; while ! grep -q '^atlasbridge: ' '${log}' 2>/dev/null && [ $n -lt 100 ]; do n=$((n+1)); sleep 0.1; done; echo ran; exit 7`;

async function withHome(work: (home: HubHome) => Promise<void>): Promise<void> {
  const home = new HubHome();
  try {
    await work(home);
  } finally {
    await home.close();
  }
}

describe.each(BROKEN)("with $what", ({ prepare, main, told, code }) => {
  const broken = (home: HubHome): string => {
    // Somebody could be asked, if only the rest were well.
    writeFileSync(home.paths.config, SOMEBODY, { mode: 0o600 });
    prepare(home);
    return main?.() ?? MAIN;
  };

  it.each([
    ["the tool runs to its own end, and the user is told why not relayed", []],
    ["--quiet leaves out none of that", ["--quiet"]],
  ])("%s", (_, flags) =>
    withHome(async (home) => {
      const program = broken(home);
      const script = /was relayed/.test(told.source) ? OUTLIVES(home.paths.hubLog) : "echo ran; exit 7";
      const ran = await finished(home.startProgram(program, "run", ...flags, "sh", "-c", script));
      expect(ran.stderr).toMatch(told);
      expect(ran.stderr.match(/not relayed|nothing was relayed/g)).toHaveLength(1);
      expect(ran.stderr).not.toMatch(/a bug|\n {4}at /);
      expect(ran.stdout).toContain("ran");
      expect(ran.code).toBe(7);
    }),
  );

  it("the tool does not start where relaying is required", () =>
    withHome(async (home) => {
      const program = broken(home);
      const sign = join(home.folder, "it-ran");
      const ran = await finished(home.startProgram(program, "run", "--relay-required", "touch", sign));
      expect(ran.stderr).not.toMatch(/a bug|\n {4}at /);
      expect(ran.stderr).toMatch(/^atlasbridge: /);
      expect(ran.code).toBe(code);
      expect(existsSync(sign)).toBe(false);
    }));
});

describe("relaying of a session", () => {
  it("that is both required and refused by options is an error", () =>
    withHome(async (home) => {
      const ran = await home.run("run", "--relay-required", "--no-relay", "true");
      expect(ran.code).not.toBe(0);
      expect(ran.stderr).toMatch(/--no-relay/);
    }));
});

describe("without the terminal addon", () => {
  it("no tool can be run, and the message says what to do", () =>
    withHome(async (home) => {
      const ran = await finished(home.startProgram(installedWith(), "run", "--no-relay", "true"));
      expect(ran).toMatchObject({ code: 3, stdout: "" });
      expect(ran.stderr).toMatch(/node-pty[^]*npm rebuild node-pty/);
      expect(ran.stderr).not.toMatch(/\n {4}at |relayed/);
    }));
});

describe("a broken adapter of another tool", () => {
  it("does not matter to a run", () =>
    withHome(async (home) => {
      mkdirSync(join(home.paths.adaptersDir, "other.yaml"), { recursive: true });
      // It speaks of shells, and of no `sh`.
      writeFileSync(join(home.paths.adaptersDir, "another.yaml"), "name: [shell\n");
      expect(await home.run("run", "--quiet", "sh", "-c", "exit 7")).toMatchObject({ code: 7, stderr: "" });
    }));
});

describe("in a directory that was removed", () => {
  it.each([
    ["exec", ["exec", "claude", "--prompt", "x", "--dry-run"]],
    ["mcp", ["mcp"]],
  ])("%s says that this is why the tool does not start", (_, words) =>
    withHome(async (home) => {
      const gone = join(home.folder, "gone");
      mkdirSync(gone);
      const leave = `cd "$0" && rmdir "$0" && exec "$@"`;
      const command = ["-c", leave, gone, process.execPath, MAIN, ...words];
      const ran = await finished(spawn("sh", command, { env: home.env }));
      expect(ran).toMatchObject({ code: 3, stdout: "" });
      expect(ran.stderr).toContain("atlasbridge: the current directory was removed");
    }),
  );
});

describe("in a directory that has no name", () => {
  it.each([
    ["because it was removed", 'mkdir "$0/gone" && cd "$0/gone" && rmdir "$0/gone" && exec "$@"'],
    [
      "because its name is no UTF-8",
      'name=$(printf "\\377") && mkdir "$0/$name" && cd "$0/$name" && exec "$@"',
    ],
  ])("%s, the tool runs there, and the user is told what does not work", (_, go) =>
    withHome(async (home) => {
      const words = [process.execPath, MAIN, "run", "--quiet", "sh", "-c", "echo ran; exit 7"];
      mkdirSync(join(home.folder, "there"));
      const ran = await finished(
        spawn("sh", ["-c", go, join(home.folder, "there"), ...words], { env: home.env }),
      );
      expect(ran.code).toBe(7);
      expect(ran.stdout).toContain("ran");
      expect(ran.stderr).toMatch(
        /^atlasbridge: the current directory(?:'s name)? [^\n]+ read from its screen only[^\n]+\n$/,
      );
    }),
  );

  it("a program of that directory is found by its relative name", () =>
    withHome(async (home) => {
      const go =
        'name=$(printf "\\377") && mkdir "$0/$name" && cd "$0/$name" && ln -s /bin/sh tool && exec "$@"';
      const words = [process.execPath, MAIN, "run", "./tool", "-c", "echo ran"];
      mkdirSync(join(home.folder, "there"));
      const ran = await finished(
        spawn("sh", ["-c", go, join(home.folder, "there"), ...words], { env: home.env }),
      );
      expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("ran") as string });
    }));
});

describe("where too few files may be opened", () => {
  const under = (home: HubHome, ...words: string[]) =>
    finished(
      spawn("sh", ["-c", 'ulimit -n 24 && exec "$@"', "sh", process.execPath, MAIN, ...words], {
        env: home.env,
      }),
    );

  it("the tool runs alone, with its exit code or signal, and the user is told", () =>
    withHome(async (home) => {
      const ran = await under(home, "run", "--quiet", "sh", "-c", "echo ran; exit 7");
      expect(ran).toMatchObject({ code: 7, stdout: "ran\n" });
      expect(ran.stderr).toMatch(
        /^atlasbridge: not relayed, the tool runs alone: the limit of open files is too low/,
      );
      expect((await under(home, "run", "sh", "-c", "kill -9 $$")).code).toBe(137);
      expect((await under(home, "run", "no-such-tool")).code).toBe(127);
    }));

  it("the tool does not start where relaying is required", () =>
    withHome(async (home) => {
      const ran = await under(home, "run", "--relay-required", "sh", "-c", "echo ran");
      expect(ran).toMatchObject({ code: 3, stdout: "" });
      expect(ran.stderr).toMatch(/the limit of open files is too low/);
    }));
});

describe("a tool that is not there", () => {
  it("is reported before anything else", () =>
    withHome(async (home) => {
      const ran = await home.run("run", "no-such-tool");
      expect(ran).toMatchObject({ code: 127, stdout: "" });
      expect(ran.stderr).toMatch(/^atlasbridge: the executable "no-such-tool" was not found/);
      expect(ran.stderr).not.toMatch(/relayed|session/);
    }));
});
