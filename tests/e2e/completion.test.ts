/**
 * The completion scripts work in real shells, where these are installed: they offer commands, options and values, and behind the
 * name of a tool they leave the line to that tool. In each, every command of the command line is known.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, HubHome } from "../support/hub-home.js";
import { describeCli } from "../../src/cli/program.js";
import { skipped } from "../support/skipped.js";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

const PEOPLE = "people: [{ name: Ann Lee, identities: [telegram:1001], role: approver }]\n";

const home = new HubHome();
const folder = join(home.folder, "shells");
const env = { ...home.env, PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` };
let shortId = "";

beforeAll(async () => {
  mkdirSync(folder);
  writeFileSync(join(home.folder, "config.yaml"), PEOPLE);
  // The scripts ask the program of this name for what has a name now.
  symlinkSync(join(import.meta.dirname, "../../atlasbridge"), join(folder, "atlasbridge"));
  for (const shell of SHELLS)
    writeFileSync(
      join(folder, `script.${shell}`),
      execFileSync("atlasbridge", ["completion", shell], { encoding: "utf8", env }),
    );
  home.start("run", "--quiet", "--label", "my $(api)", "sh", "-c", "printf 'Go on? [y/N] '; read -r it");
  [{ shortId }] = await eventually(async () => {
    const open = await home.data<{ shortId: string }[]>("prompts").catch(() => []);
    return open[0] === undefined ? null : [open[0]];
  });
});
afterAll(() => home.close());

/** What the shell offers behind `line`. */
const OFFERS: Readonly<Record<Shell, (line: string) => string[]>> = {
  bash: (line) => {
    const words = line.split(" ");
    const array = words.map((word) => `'${word}'`).join(" ");
    // `compopt` wants a completion in progress.
    const program = `compopt() { echo "-- $*"; }; source script.bash; COMP_WORDS=(${array}); COMP_CWORD=${words.length - 1}; _atlasbridge; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return ask("bash", ["--noprofile", "--norc", "-c", program]);
  },
  zsh: (line) => {
    const words = line.split(" ");
    const array = words.map((word) => `'${word}'`).join(" ");
    // Outside of a widget there is nothing to offer to: what would be offered is printed.
    const program = `compdef() { :; }; _describe() { local name=\${@[-1]}; print -l -- \${\${(P)name}%%:*}; }; compadd() { shift; print -rl -- "$@"; }; _files() { print -- "-- files"; }; _command_names() { print -- "-- commands"; }; _default() { print -- "-- default"; }; _message() { :; }; source ./script.zsh; words=(${array}); CURRENT=${words.length}; _atlasbridge`;
    return ask("zsh", ["-f", "-c", program]);
  },
  fish: (line) => {
    const program = `source script.fish; complete -C '${line}'`;
    return ask("fish", ["--no-config", "-c", program]).map((row) => row.split("\t")[0] ?? "");
  },
};

function ask(shell: Shell, args: readonly string[]): string[] {
  const { stdout, stderr, status } = spawnSync(shell, [...args], { cwd: folder, encoding: "utf8", env });
  expect({ stderr, status: status === null ? "killed" : "ended" }).toEqual({ stderr: "", status: "ended" });
  return stdout.split("\n").filter((row) => row !== "");
}

describe.each(SHELLS)("in %s", (shell) => {
  const missing = spawnSync(shell, ["-c", "true"]).error === undefined ? null : `there is no ${shell}`;
  const offers = (line: string): string[] => OFFERS[shell](line);

  it.skipIf(skipped(missing))("commands are offered, and those below them", () => {
    expect(offers("atlasbridge ")).toEqual(
      expect.arrayContaining(describeCli().commands.map((command) => command.name())),
    );
    expect(offers("atlasbridge channel ")).toEqual(
      expect.arrayContaining(["add", "list", "test", "remove", "trust"]),
    );
    expect(offers("atlasbridge channel ")).not.toContain("run");
  });

  it.skipIf(skipped(missing))("options and their values are offered", () => {
    expect(offers("atlasbridge run --")).toEqual(expect.arrayContaining(["--ask", "--label", "--isolate"]));
    expect(offers("atlasbridge run --")).not.toContain("--token-file");
    expect(offers("atlasbridge run --runtime ")).toEqual(expect.arrayContaining(["pty", "acp"]));
    expect(offers("atlasbridge channel remove ")).toEqual(expect.arrayContaining(["telegram", "slack"]));
    expect(offers("atlasbridge mode api ")).toEqual(expect.arrayContaining(["off", "assist", "full"]));
    expect(offers("atlasbridge console ")).toEqual(expect.arrayContaining(["on", "off", "agents"]));
    expect(offers("atlasbridge completion ")).toEqual(expect.arrayContaining(["bash", "zsh", "fish"]));
  });

  it.skipIf(skipped(missing))("sessions, prompts, people, tools and adapters are offered by name", () => {
    // What a name holds is never run.
    const label = shell === "bash" ? "my\\ \\$\\(api\\)" : "my $(api)";
    expect(offers("atlasbridge sessions ")).toEqual([label]);
    expect(offers("atlasbridge console on ")).toEqual([label]);
    expect(offers("atlasbridge answer ")).toEqual([shortId]);
    expect(offers("atlasbridge prompts --reveal ")).toEqual([shortId]);
    expect(offers("atlasbridge answer --text no ")).toEqual([shortId]);
    const person = shell === "bash" ? "Ann\\ Lee" : "Ann Lee";
    expect(offers("atlasbridge people remove ")).toEqual([person]);
    expect(offers("atlasbridge people merge Bob ")).toEqual([person]);
    expect(offers("atlasbridge delegate to --from ")).toEqual([person]);
    expect(offers("atlasbridge adapter show ")).toEqual(expect.arrayContaining(["claude", "codex"]));
    expect(offers("atlasbridge adapter check claude ")).toContain("codex");
    expect(offers("atlasbridge run s")).toContain(shell === "zsh" ? "-- commands" : "sh");
    // Not each of some thousand programs.
    expect(offers("atlasbridge run ")).not.toContain(shell === "zsh" ? "-- commands" : "sh");
  });

  it.skipIf(skipped(missing))("behind its name the line belongs to the tool", () => {
    expect(offers("atlasbridge run --label mine sh --")).not.toContain("--ask");
    expect(offers("atlasbridge run --label mine --")).toContain("--ask");
  });
});

describe("man/atlasbridge.1", () => {
  const missing = spawnSync("man", ["--version"]).error === undefined ? null : "there is no man";
  it.skipIf(skipped(missing))("is read by man without a warning", () => {
    const env = { ...process.env, MANWIDTH: "100", LC_ALL: "C.UTF-8" };
    const { stdout, stderr } = spawnSync("man", ["--warnings", "-l", "man/atlasbridge.1"], {
      encoding: "utf8",
      env,
    });
    expect(stderr).toBe("");
    for (const command of describeCli().commands) expect(stdout).toContain(`atlasbridge ${command.name()}`);
  });
});
