/**
 * `exec` names the true reason for its end (cancelled, silent, crashed, out of time, output closed), gives the exit code for it,
 * and refuses a task, a time or a file that cannot be used.
 */
import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { finished, HubHome, MAIN, type Finished } from "../support/hub-home.js";

const AGENTS = resolve("tests/fixtures/agents");

interface Place {
  readonly home: HubHome;
  /** An agent of ours, under the name by which an adapter file knows how it speaks. */
  readonly claude: string;
  readonly gemini: string;
  /** A tool that is started and never says a word. */
  readonly mute: (name: string) => string;
  /** Nobody can be asked. */
  readonly exec: (...args: string[]) => Promise<Finished>;
}

async function withAgents(work: (place: Place) => Promise<void>): Promise<void> {
  const home = new HubHome();
  const script = (file: string, text: string): string => {
    writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return file;
  };
  const claude = join(home.folder, "claude");
  symlinkSync(join(AGENTS, "stream-json-agent.mjs"), claude);
  const gemini = script(
    join(home.folder, "gemini"),
    `exec "${process.execPath}" "${AGENTS}/acp-agent.mjs" tasks "${home.folder}/noted"`,
  );
  const mute: Place["mute"] = (name) => {
    const folder = join(home.folder, "mute");
    mkdirSync(folder, { recursive: true });
    return script(join(folder, name), "exec sleep 300");
  };
  const exec: Place["exec"] = (...args) => {
    const child = home.start("exec", ...args, "--no-relay");
    child.stdin?.end();
    return finished(child);
  };
  try {
    await work({ home, claude, gemini, mute, exec });
  } finally {
    await home.close();
  }
}

describe.concurrent("exec that is ended while the tool starts names the reason", () => {
  it.each(["claude", "gemini"])("names the time limit, with %s", (name) =>
    withAgents(async ({ mute, exec }) => {
      const { code, stderr, stdout } = await exec(mute(name), "--prompt", "x", "--timeout", "1s", "--json");
      expect(stderr).toBe("atlasbridge: timed out while the tool started\n");
      expect(code).toBe(124);
      expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
        why: "timed_out",
        problem: null,
      });
    }),
  );

  it.each([
    ["claude", "SIGINT", 130],
    ["gemini", "SIGINT", 130],
    ["claude", "SIGTERM", 143],
    ["gemini", "SIGTERM", 143],
  ] as const)("%s and %s: %i", (name, signal, expected) =>
    withAgents(async ({ home, mute }) => {
      const child = home.start("exec", mute(name), "--prompt", "x", "--no-relay", "--json");
      const ended = finished(child);
      child.stdout?.once("data", () => child.kill(signal));
      const { code, stderr, stdout } = await ended;
      expect(stderr).toBe("atlasbridge: interrupted while the tool started\n");
      expect(stdout).toContain('"why":"interrupted"');
      expect(code).toBe(expected);
    }),
  );
});

describe.concurrent("exec whose output is no longer read", () => {
  /** The command before a pipe, and what the shell says that it exited with. */
  async function piped({ home, claude }: Place, reader: string, ...args: string[]): Promise<string> {
    const line = `{ "$@"; echo "code $?" >&2; } | ${reader}`;
    const command = [process.execPath, MAIN, "exec", claude, "--no-relay", ...args];
    const { stderr } = await finished(spawn("sh", ["-c", line, "sh", ...command], { env: home.env }));
    return stderr;
  }

  it("says so, and exits as a program that SIGPIPE ends", () =>
    withAgents(async (place) => {
      const gone = await piped(place, "true", "--prompt", "say hi", "--json");
      expect(gone).toMatch(/its output was closed: stopped .*\ncode 141\n$/);
      expect(gone).not.toContain("sign in");
      const one = await piped(place, "head -c 1 >&2", "--prompt", "big 3000000");
      expect(one).toMatch(/its output was closed: stopped (in|after) turn 1; .*\ncode 141\n$/);
    }));
});

describe.concurrent("exec reports how it ended", () => {
  const lastEvent = ({ stdout }: Finished): unknown => JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");

  it("the session's id stands at the end, and is what --session takes", () =>
    withAgents(async ({ claude, exec }) => {
      const first = await exec(claude, "--prompt", "say hi");
      expect(first).toMatchObject({ code: 0, stderr: "atlasbridge: resume with --session session-1\n" });
      expect(await exec(claude, "--prompt", "say hi", "--quiet")).toMatchObject({ code: 0, stderr: "" });
      const loop = await exec(claude, "--prompt", "run x", "--max-iterations", "2", "--json");
      expect(loop.stderr).not.toContain("--session");
    }));

  it("no session is offered to be continued that the tool never named, or in which no turn began", () =>
    withAgents(async ({ home, exec }) => {
      const folder = join(home.folder, "refuses");
      mkdirSync(folder);
      const claude = join(folder, "claude");
      const greeting = `'{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{}}}\\n'`;
      const asked = `id=$(printf %s "$line" | sed 's/.*"request_id":"\\([^"]*\\)".*/\\1/')`;
      const lines = [
        "#!/bin/sh",
        "read -r line",
        asked,
        `printf ${greeting} "$id"`,
        "read -r line",
        "exit 1",
      ];
      writeFileSync(claude, `${lines.join("\n")}\n`, { mode: 0o755 });
      const ended = await exec(claude, "--prompt", "x", "--session", "s1", "--json");
      expect(ended.code).toBe(1);
      expect(ended.stderr).not.toContain("goes on");
      expect(lastEvent(ended)).toMatchObject({ type: "end", why: "failed", session: null });
    }));

  it.each([
    ["claude", "run touch a"],
    ["claude", "question"],
    ["claude", "plan"],
    ["gemini", "ask x"],
  ] as const)("%s, refused what nobody could be asked (%s): 5, with what to do", (name, prompt) =>
    withAgents(async (place) => {
      const ended = await place.exec(place[name], "--prompt", prompt, "--json");
      expect(ended.code).toBe(5);
      expect(ended.stderr).toContain("a request was denied because nobody could answer it in time");
      expect(ended.stderr).toMatch(/A permission of .+ was denied/);
      expect(lastEvent(ended)).toMatchObject({ type: "end", exit_code: 5, why: "refused", iterations: 1 });
    }),
  );

  it("a turn that was cancelled for its silence is not done, and not a success", () =>
    withAgents(async ({ home, claude, gemini, exec }) => {
      const text = "exec: { timeout: 1s }\nadapters: { acp: { timeout: 1s } }\n";
      writeFileSync(join(home.folder, "config.yaml"), text, { mode: 0o600 });
      for (const [tool, setting] of [
        [claude, "exec.timeout"],
        [gemini, "adapters.acp.timeout"],
      ] as const) {
        const problem = `Cancelled by AtlasBridge: silent for 1 s (${setting})`;
        const ended = await exec(tool, "--prompt", "wait", "--json");
        expect(ended.code).toBe(1);
        expect(ended.stderr).toContain(`atlasbridge: ${problem}`);
        expect(lastEvent(ended)).toMatchObject({ exit_code: 1, why: "failed", problem });
      }
    }));

  it.each(["cancelled", "refusal", "max_tokens", "max_turn_requests", "weird"])(
    "a turn that ends by %s is not done",
    (reason) =>
      withAgents(async ({ gemini, exec }) => {
        const ended = await exec(gemini, "--prompt", `end ${reason}`, "--json");
        expect(ended.code).toBe(1);
        expect(lastEvent(ended)).toMatchObject({ type: "end", exit_code: 1, why: "failed" });
        expect(await exec(gemini, "--prompt", "end end_turn")).toMatchObject({ code: 0 });
      }),
  );

  it("a loop whose tool dies once its file exists is done, and is not offered to be continued", () =>
    withAgents(async ({ home, claude, exec }) => {
      const done = join(home.folder, "done");
      const ended = await exec(claude, "--prompt", `make-and-die ${done}`, "--until-file", done, "--json");
      expect(ended.code).toBe(0);
      expect(ended.stderr).not.toContain("resuming with turn");
      expect(lastEvent(ended)).toMatchObject({ exit_code: 0, why: "done", problem: "the tool ended" });
    }));

  it("a mistake in what limits agents starts none; one in another section leaves the limits, and is told", () =>
    withAgents(async ({ home, gemini, exec }) => {
      const configure = (text: string): void =>
        writeFileSync(join(home.folder, "config.yaml"), text, { mode: 0o600 });
      const task = [gemini, "--prompt", "say hi", "--quiet"];
      configure("adapters:\n  acp:\n    timeout: 300\n");
      const refused = await exec(...task);
      expect([refused.code, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr).toContain(
        ':3:14: "adapters.acp.timeout": expected a time with its unit (for seconds write 30s), found 300',
      );
      configure("exec:\n  stop_aftr: 3\n");
      expect(await exec(...task)).toMatchObject({ code: 2, stdout: "" });
      configure("prompts:\n  deliver_after: 0s\n  adapters:\n    acp: { enabled: false }\n");
      const misplaced = await exec(...task);
      expect([misplaced.code, misplaced.stdout]).toEqual([2, ""]);
      expect(misplaced.stderr).toContain(':3:3: unknown key "prompts.adapters"');
      configure("exec: [\n");
      expect(await exec(...task)).toMatchObject({ code: 2, stdout: "" });
      configure("prompts:\n  expires_after: 300\nadapters:\n  acp:\n    enabled: false\n");
      expect((await exec(...task)).stderr).toContain("ACP agents are turned off (adapters.acp.enabled)");
      configure("prompts:\n  expires_after: 300\n");
      const started = await exec(...task);
      expect(started.code).toBe(0);
      expect(started.stderr).toContain(
        "the defaults stand for the part of the configuration that has mistakes: ",
      );
      expect(started.stderr).toContain('"prompts.expires_after": expected a time with its unit');
      const shown = await exec(...task, "--dry-run");
      expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining(gemini)]);
      expect(shown.stderr).toContain('"prompts.expires_after": expected a time with its unit');
    }));

  it("a tool that is not named is that of the configuration; without one nothing is started", () =>
    withAgents(async ({ home, claude, exec }) => {
      const none = await exec("--prompt", "say hi");
      expect(none.code).toBe(1);
      expect(none.stderr).toMatch(/^atlasbridge: no tool was named \(ATB_USAGE\)\n.*set exec\.tool/);
      const config = join(home.folder, "config.yaml");
      writeFileSync(config, `exec:\n  tool: ${claude}\n`, { mode: 0o600 });
      const { code, stdout } = await exec("--prompt", "say hi");
      expect([code, stdout]).toEqual([0, expect.stringContaining("hi")]);
      writeFileSync(config, "exec:\n  tol: claude\n", { mode: 0o600 });
      expect((await exec("--prompt", "say hi")).stderr).toContain('unknown key "exec.tol"');
    }));

  it("a tool that is too old for it is named, and runs", () =>
    withAgents(async ({ home, mute }) => {
      const file = mute("opencode");
      const text = `[ "$*" = --version ] && echo 1.0.0 && exit\nuntil [ -e seen ]; do sleep 0.1; done\necho '{}'`;
      writeFileSync(file, `#!/bin/sh\n${text}\n`);
      const args = ["exec", file, "--batch", "--no-relay", "--prompt", "x", "--cwd", home.folder];
      const child = home.start(...args);
      child.stdin?.end();
      child.stderr?.on("data", (chunk: Buffer) => {
        if (String(chunk).includes("too old")) writeFileSync(join(home.folder, "seen"), "");
      });
      const { code, stderr } = await finished(child);
      expect(code).toBe(0);
      expect(stderr).toContain(
        `${file} is 1.0.0, too old to run headless (requires 1.15.0 or newer); update it\n`,
      );
    }));

  it("no field of a call's input is shown without its value", () =>
    withAgents(async ({ claude, exec }) => {
      const { stdout } = await exec(claude, "--prompt", "question");
      expect(stdout).toMatch(/^● AskUserQuestion\n/);
    }));

  it("a loop whose file already exists starts nothing", () =>
    withAgents(async ({ home, exec }) => {
      const done = join(home.folder, "done");
      writeFileSync(done, "");
      const ended = await exec("claude", "--prompt", "x", "--until-file", done, "--json");
      expect(ended).toMatchObject({
        code: 0,
        stderr: `atlasbridge: ${done} already exists; nothing was started\n`,
      });
      expect(lastEvent(ended)).toMatchObject({ type: "end", why: "done", iterations: 0 });
    }));

  it("a loop whose file cannot be looked up starts nothing, and reports no bug", () =>
    withAgents(async ({ home, exec }) => {
      const loop = join(home.folder, "loop");
      symlinkSync(loop, loop);
      const ended = await exec("claude", "--prompt", "x", "--until-file", loop);
      expect(ended.code).toBe(1);
      expect(ended.stderr).toMatch(/^atlasbridge: cannot check whether .* exists \(ELOOP\) \(ATB_USAGE\)/);
    }));

  it("a time that is too long is refused with the longest allowed", () =>
    withAgents(async ({ exec }) => {
      const { code, stderr } = await exec("claude", "--prompt", "x", "--timeout", "999999h");
      expect([code, stderr]).toEqual([1, expect.stringContaining("up to 7d")]);
    }));

  it("a task that is no text, or longer than any model reads, is not sent", () =>
    withAgents(async ({ home, claude, exec }) => {
      const file = join(home.folder, "task");
      writeFileSync(file, Buffer.from([0x66, 0xff, 0xfe]));
      const noText = await exec(claude, "--prompt-file", file);
      expect([noText.code, noText.stderr]).toEqual([1, expect.stringContaining(`${file} is not UTF-8 text`)]);
      const endless = await exec(claude, "--prompt-file", "/dev/zero");
      expect([endless.code, endless.stderr]).toEqual([1, expect.stringContaining("longer than 4 MiB")]);
    }));
});
