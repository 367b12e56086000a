/**
 * `run --console` shares a live shell: `send` gets exactly the output and the exit code of its command, on record first; whoever types at
 * the terminal wins; and nothing goes in where the console is closed, was never opened, or is asked for by the session's own tool.
 */
import { existsSync, readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConsoleResult } from "../../src/wire/calls/console-calls.js";
import { eventually, HubHome, MAIN } from "../support/hub-home.js";
import { RealTerminal } from "../support/real-cli/terminal.js";

function readOutcome({ paths }: HubHome, shortId: string): string | null {
  const database = new Database(paths.database, { readonly: true });
  try {
    const sql = "SELECT outcome FROM prompts WHERE short_id = ?";
    return database.prepare<[string], string | null>(sql).pluck().get(shortId) ?? null;
  } finally {
    database.close();
  }
}

class Shell {
  readonly home = new HubHome();
  readonly terminal: RealTerminal;
  text = "";

  constructor(...args: string[]) {
    this.terminal = new RealTerminal(
      {
        file: process.execPath,
        args: [MAIN, "run", ...args],
        cwd: this.home.folder,
        env: { ...this.home.env, HOME: this.home.folder, PS1: "" },
      },
      { cols: 90, rows: 24 },
    );
    this.terminal.onOutput = (bytes) => (this.text += Buffer.from(bytes).toString());
  }

  send(...args: string[]) {
    return this.home.run("send", "shared", ...args);
  }

  steps(): string[] {
    const database = new Database(this.home.paths.database, { readonly: true });
    try {
      const rows = database
        .prepare("SELECT step FROM audit WHERE step LIKE 'console%' OR step = 'call_refused'")
        .all();
      return (rows as { step: string }[]).map(({ step }) => step);
    } finally {
      database.close();
    }
  }

  async close(): Promise<void> {
    await this.terminal.close();
    await this.home.close();
  }
}

describe("a shell that was opened at its terminal", () => {
  let shell: Shell;
  beforeAll(async () => {
    shell = new Shell("--console", "--label", "shared", "bash");
    await eventually(async () => (await shell.home.run("sessions")).stdout.includes("shared"));
  });
  afterAll(() => shell.close());

  it("gives the output and the exit code of a command, on record", async () => {
    expect(await shell.send("--", "echo", "hello; (exit 7)")).toEqual({
      code: 7,
      stdout: "hello\n",
      stderr: "",
    });
    expect(await shell.send("--", "printf 'a\\nb'")).toMatchObject({ code: 0, stdout: "a\nb" });
    expect(shell.steps()).toEqual(["console_command", "console_ended", "console_command", "console_ended"]);
    expect(shell.text).toContain("hello");
  });

  it("gives a pipeline the whole output, and its bytes where they are asked for", async () => {
    const long = Array.from({ length: 30_000 }, (_, n) => `${n + 1}\n`).join("");
    expect(await shell.send("--", "seq 1 30000")).toEqual({ code: 0, stdout: long, stderr: "" });
    expect(await shell.send("--raw", "--", "seq 1 30000; (exit 3)")).toEqual({
      code: 3,
      stdout: long,
      stderr: "",
    });
    expect(await shell.send("--raw", "--", "printf 'a\\tb'")).toMatchObject({ code: 0, stdout: "a\tb" });
    expect((await shell.send("--raw", "--timeout", "0.5", "--", "printf a; sleep 2; printf b")).code).toBe(
      124,
    );
    expect(await shell.send("--raw", "--wait")).toMatchObject({ code: 0, stdout: "ab" });
    expect((await shell.send("--raw", "--json", "--", "true")).stderr).toContain("exclude one another");
  });

  it("exits with 1 where the command was not complete or was not run, and shows why", async () => {
    expect(await shell.send("--", "echo 'never")).toEqual({
      code: 1,
      stdout: "",
      stderr: "atlasbridge: the command was not complete\n",
    });
    expect(await shell.send("--", "fi")).toEqual({
      code: 1,
      stdout: "bash: syntax error near unexpected token `fi'\n",
      stderr: "atlasbridge: the program did not run it\n",
    });
  });

  it("keeps its state, tells its directory, and takes a block", async () => {
    await shell.send("--", "cd /tmp; answer=42");
    const { stdout } = await shell.send("--json", "--", "echo $answer\necho two");
    const result = (JSON.parse(stdout) as { data: ConsoleResult }).data;
    expect(result).toMatchObject({
      state: "finished",
      text: "42\ntwo\n",
      cwd: "/tmp",
      exitCode: 0,
      isProven: true,
    });
  });

  it("leaves a long command running, which can be waited for and interrupted", async () => {
    expect((await shell.send("--timeout", "0.5", "--", "sleep 60")).code).toBe(124);
    expect((await shell.send("--timeout", "0.5", "--", "echo no")).stderr).toContain("still running");
    expect((await shell.send("--interrupt")).code).toBe(0);
    expect((await shell.send("--wait")).code).toBe(130);
  });

  it("types a command and an input once, though the hub is killed meanwhile, and gives its output", async () => {
    const mark = `${shell.home.folder}/times`;
    const sent = shell.send("--timeout", "20", "--", `echo once >> ${mark}; sleep 2; echo late`);
    await eventually(() => existsSync(mark));
    process.kill(await eventually(() => shell.home.hubPid()), "SIGKILL");
    expect(await sent).toEqual({ code: 0, stdout: "late\n", stderr: "" });
    expect(readFileSync(mark, "utf8")).toBe("once\n");
  });

  it("says of a question that `send` answered that it did, and never that nothing was typed", async () => {
    await eventually(() => shell.home.hubPid());
    await shell.send("--timeout", "0.5", "--", "read -p 'Overwrite? [y/N] ' x; echo got=$x");
    const open = await eventually(async () => {
      const { stdout } = await shell.home.run("prompts");
      return /^(\w+) +bash · question/m.exec(stdout)?.[1] ?? null;
    });
    expect((await shell.send("--input", "y")).code).toBe(0);
    expect((await shell.send("--wait")).stdout).toContain("got=y");
    const outcome = await eventually(() => readOutcome(shell.home, open));
    expect(outcome).toBe("⌨️ Ended by a command from outside, which typed for what runs there");
  });

  it("waits for a line that somebody has begun, and says so; afterwards theirs and ours are whole", async () => {
    shell.terminal.press("echo typed by hand");
    await eventually(() => shell.text.includes("typed by hand"));
    const refused = await shell.send("--timeout", "1", "--", "echo ours");
    expect(refused.stderr).toContain("somebody is typing");
    const waiting = shell.send("--", "echo ours");
    shell.terminal.press("\r");
    expect(await waiting).toEqual({ code: 0, stdout: "ours\n", stderr: "" });
    expect(shell.text).toContain("\x07typed by hand\r\n");
    expect(shell.text).not.toContain("by handecho");
  });

  it("types nothing behind a key that draws nothing and changes the next one, until Enter", async () => {
    await shell.send("--", "true");
    shell.terminal.press("\x1b");
    const refused = await shell.send("--timeout", "1", "--", "echo whole");
    expect(refused.stderr).toContain("a key was pressed at the terminal");
    const waiting = shell.send("--", "echo whole");
    // The first one belongs to Esc, and bash only beeps.
    shell.terminal.press("\r\r");
    expect(await waiting).toEqual({ code: 0, stdout: "whole\n", stderr: "" });
  });

  it("types nothing that still waits when everything is paused or the console is closed", async () => {
    const made = `${shell.home.folder}/made`;
    const endings = [
      { close: ["pause"], open: ["resume"], why: "AtlasBridge was paused" },
      {
        close: ["console", "off", "shared"],
        open: ["console", "on", "shared"],
        why: "its console was closed",
      },
    ];
    for (const { close, open, why } of endings) {
      shell.terminal.press("echo mine");
      const before = shell.steps().length;
      const waiting = shell.send("--timeout", "30", "--", `touch ${made}`);
      await eventually(() => shell.steps().length > before);
      await shell.home.run(...close);
      expect((await waiting).stderr).toContain(`nothing was typed: ${why}`);
      shell.terminal.press("\x15");
      await shell.home.run(...open);
      expect((await shell.send("--", "echo sound")).stdout).toBe("sound\n");
      expect(existsSync(made)).toBe(false);
    }
  });

  it("gives a command no input behind what a person has begun to type for it", async () => {
    await shell.send("--timeout", "0.5", "--", "read x; echo got=$x");
    shell.terminal.press("delete every");
    await eventually(() => shell.text.includes("delete every"));
    const refused = await shell.send("--input", "no");
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("somebody has begun a line at the terminal");
    shell.terminal.press("\x15");
    await eventually(async () => (await shell.send("--input", "no")).code === 0);
    expect((await shell.send("--wait")).stdout).toMatch(/^got=no$/m);
  });

  it("takes nothing from the session's own tool", async () => {
    const inner = `${process.execPath} ${MAIN} send shared --timeout 1 -- echo stolen`;
    const { stdout, stderr } = await shell.send("--", `${inner} 2>&1; true`);
    expect(stdout + stderr).not.toMatch(/^stolen$/m);
    expect(shell.steps()).toContain("call_refused");
  });

  it("takes nothing while it is closed", async () => {
    expect((await shell.home.run("console", "off", "shared")).code).toBe(0);
    const { code, stderr } = await shell.send("--", "echo no");
    expect(code).not.toBe(0);
    expect(stderr).toContain("its console is closed");
    expect((await shell.home.run("console", "on", "shared")).code).toBe(0);
    expect((await shell.send("--", "echo yes")).stdout).toBe("yes\n");
    expect(shell.steps()).toEqual(
      expect.arrayContaining(["console_closed", "console_refused", "console_opened"]),
    );
  });

  it("takes nothing while everything is paused", async () => {
    await shell.home.run("pause");
    const { stderr } = await shell.send("--", "echo no");
    expect(stderr).toContain("AtlasBridge is paused");
    expect(stderr).toContain("`atlasbridge resume`");
    expect(stderr).not.toContain("hub stop");
    await shell.home.run("resume");
    expect((await shell.send("--", "echo yes")).stdout).toBe("yes\n");
  });
});

describe("a shell whose AtlasBridge is killed", () => {
  it("is said to have ended, and not the hub", async () => {
    const shell = new Shell("--console", "--label", "shared", "bash");
    try {
      await eventually(async () => (await shell.home.run("sessions")).stdout.includes("shared"));
      const begun = `${shell.home.folder}/begun`;
      const sent = shell.send("--timeout", "30", "--", `touch ${begun}; sleep 30`);
      await eventually(() => existsSync(begun));
      await shell.terminal.close();
      const { code, stderr } = await sent;
      expect(code).not.toBe(0);
      expect(stderr).toContain("the session ended meanwhile");
      expect(stderr).not.toContain("the hub was lost");
    } finally {
      await shell.close();
    }
  });
});

describe("a shell without a console", () => {
  it("is run as ever, and takes nothing", async () => {
    const shell = new Shell("--label", "shared", "bash", "--norc");
    try {
      await eventually(async () => (await shell.home.run("sessions")).stdout.includes("shared"));
      expect((await shell.send("--", "echo no")).stderr).toContain("run --console");
      expect((await shell.home.run("console", "on", "shared")).stderr).toContain("run --console");
      expect(shell.text).not.toContain("633;");
    } finally {
      await shell.close();
    }
  });
});
