/**
 * The headless drivers of claude, codex, opencode, copilot and cursor build the commands and have the capabilities that the
 * driver spec names, and none starts its tool in a mode that asks nobody.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compileAdapter } from "../../../../../src/worker/adapter-format/compiled/compile-rules.js";
import type { CompiledAdapter } from "../../../../../src/worker/adapter-format/compiled/compiled.js";
import type { CompiledHeadless } from "../../../../../src/worker/adapter-format/compiled/compiled-headless.js";
import {
  buildCommand,
  canResume,
  describePermissionDenial,
  prepareLiveCommand,
  buildProtocolArguments,
  validateAllowedTools,
} from "../../../../../src/worker/runtimes/exec/command-builder.js";

const packaged = (name: string): CompiledAdapter =>
  compileAdapter(readFileSync(`adapters/${name}.yaml`, "utf8"), name);

function findDriver(name: string): CompiledHeadless {
  const { headless } = packaged(name);
  if (!headless) throw new Error(`${name} has no driver`);
  return headless;
}

const file = (headless: readonly string[]): string =>
  [
    "schema: 1",
    "name: mine",
    "version: 1.0.0",
    "description: mine",
    "family: agent",
    "process: {}",
    "rules: []",
    "headless:",
    ...headless.map((line) => `  ${line}`),
  ].join("\n");

function minimal(...more: readonly string[]): CompiledHeadless {
  const { headless } = compileAdapter(
    file(["display_name: Mine", "tools: [Read]", "command: [-p]", ...more]),
    "mine.yaml",
  );
  if (!headless) throw new Error("no driver");
  return headless;
}

const TASK = { prompt: "do it", context: null, session: null, allowTools: [] };

/** The driver spec's capability matrix, row by row. */
const MATRIX = [
  {
    name: "claude",
    allowlist: true,
    sessions: true,
    live: true,
    transform: "transform",
    filter: "rules",
    extraction: false,
    fallback: false,
    binary: "static",
  },
  {
    name: "codex",
    allowlist: false,
    sessions: true,
    live: true,
    transform: "passthrough",
    filter: "rules",
    extraction: false,
    fallback: false,
    binary: "static",
  },
  {
    name: "opencode",
    allowlist: false,
    sessions: true,
    live: true,
    transform: "passthrough",
    filter: "rules",
    extraction: true,
    fallback: true,
    binary: "static",
  },
  {
    name: "copilot",
    allowlist: false,
    sessions: false,
    live: false,
    transform: "none",
    filter: "passthrough",
    extraction: false,
    fallback: false,
    binary: "static",
  },
  {
    name: "cursor-agent",
    allowlist: false,
    sessions: true,
    live: true,
    transform: "transform",
    filter: "rules",
    extraction: false,
    fallback: false,
    binary: "dynamic",
  },
];

describe.each(MATRIX)("the driver of $name (driver spec: Capability Matrix)", ({ name, ...row }) => {
  const driver = findDriver(name);

  it(`tool allow-list: ${row.allowlist}`, () => expect(driver.allowTools !== null).toBe(row.allowlist));
  it(`session continuity: ${row.sessions}`, () => expect(driver.sessions).toBe(row.sessions));
  it(`structured live output: ${row.live}`, () => expect(driver.live !== null).toBe(row.live));

  it(`live command: ${row.transform}`, () => {
    const { args } = buildCommand(driver, TASK);
    const live = prepareLiveCommand(driver, args);
    if (row.transform === "transform") expect(live).not.toEqual(args);
    else expect(live).toEqual(args);
  });

  it(`stream filter: ${row.filter}`, () => {
    if (row.filter === "passthrough") expect(driver.show).toBe("lines");
    else expect(driver.show.length).toBeGreaterThan(0);
  });

  it(`session extraction of its own: ${row.extraction}; fallback lookup: ${row.fallback}`, () => {
    expect(driver.sessionIn.length > 0).toBe(row.extraction);
    expect(driver.sessionList !== null).toBe(row.fallback);
  });

  it(`binary: ${row.binary}`, () => expect(driver.executables.length > 1).toBe(row.binary === "dynamic"));
});

describe("every driver of the package (driver spec: Checklist)", () => {
  const files = readdirSync("adapters").filter((each) => each.endsWith(".yaml"));
  const adapters = files.map((each) => packaged(each.slice(0, -".yaml".length)));
  const driven = adapters.flatMap(({ name, headless, ...rest }) =>
    headless ? [{ name, headless, ...rest }] : [],
  );

  it("has all five required hooks", () => {
    expect(driven.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["claude", "codex", "opencode", "copilot", "cursor-agent", "gemini", "qwen"]),
    );
    for (const { name, headless, process, acp } of driven) {
      expect(headless.displayName, name).not.toBe("");
      expect([...headless.executables, ...process.executables].length, name).toBeGreaterThan(0);
      expect(headless.tools.length, name).toBeGreaterThan(0);
      if (headless.command) expect(buildCommand(headless, TASK).args.length, name).toBeGreaterThan(0);
      if (headless.talk?.speaks === "acp") expect(acp, name).not.toBeNull();
    }
  });

  it("asks: none is started in a mode that asks nobody", () => {
    const bypasses =
      /yolo|bypass|dangerous|skip-permissions|allow-all|autopilot|--force|full-auto|never|trust-all/i;
    for (const { name, headless } of driven) {
      const words = JSON.stringify([headless.command, headless.live, headless.talk]);
      expect(words, name).not.toMatch(bypasses);
    }
  });

  it("continues the session that is named, never the latest", () => {
    for (const { headless } of driven.filter((each) => each.headless.sessionArgs !== null)) {
      const { args } = buildCommand(headless, { ...TASK, session: "ses_1" });
      expect(args).toContain("ses_1");
      expect(args).not.toContain("--continue");
    }
    const bare = ["display_name: Mine", "tools: [Read]", "command: [-p, --continue]"];
    expect(() => compileAdapter(file(bare), "mine.yaml")).toThrow(/no --continue/);
    const unnamed = ["display_name: Mine", "tools: [Read]", "command: [-p]", "session_args: [--resume]"];
    expect(() => compileAdapter(file(unnamed), "mine.yaml")).toThrow(/expected \{session\}/);
  });

  it("says what to do when it was refused something, in its own name", () => {
    for (const { headless } of driven)
      expect(describePermissionDenial(headless)).toContain(headless.displayName);
  });
});

describe("a command", () => {
  it("handles prompt, context and session, each where the tool takes it", () => {
    const { args, input } = buildCommand(findDriver("claude"), {
      prompt: "do it",
      context: "ctx",
      session: "s1",
      allowTools: ["Bash(git *)", "Edit"],
    });
    expect(args.join(" ")).toBe(
      "-p --output-format json --permission-mode default --allowedTools Bash(git *) Edit --resume s1 --append-system-prompt ctx",
    );
    expect(input).toBe("do it");
  });

  it.each([
    [
      "claude",
      "-p --output-format stream-json --permission-mode default --verbose --include-partial-messages",
    ],
    ["codex", "exec --json --sandbox workspace-write"],
    ["opencode", "run --agent build --format json"],
    ["copilot", "-s --no-ask-user -p do it"],
    ["cursor-agent", "-p --output-format stream-json"],
  ])(
    "of %s for live output is the one that it takes (driver spec: driver_prepare_live_command)",
    (name, live) => {
      const driver = findDriver(name);
      expect(prepareLiveCommand(driver, buildCommand(driver, TASK).args).join(" ")).toBe(live);
    },
  );

  it.each([
    ["codex", "resume s1"],
    ["opencode", "--session s1"],
    ["cursor-agent", "--resume s1"],
  ])("of %s names the session at its end, and has its prompt on its input", (name, end) => {
    const { args, input } = buildCommand(findDriver(name), { ...TASK, session: "s1" });
    expect(args.slice(-2).join(" ")).toBe(end);
    expect(input).toBe("do it");
  });

  it("has context before the prompt, with a blank line, where the tool has no place for it", () => {
    expect(buildCommand(findDriver("codex"), { ...TASK, context: "ctx" }).input).toBe("ctx\n\ndo it");
  });

  it("is made live by replaced words and added arguments, and never changes what a person gave", () => {
    const driver = findDriver("claude");
    const { args } = buildCommand(driver, { ...TASK, allowTools: ["mcp__json"], session: "json" });
    const live = prepareLiveCommand(driver, args).join(" ");
    expect(live).toBe(
      "-p --output-format stream-json --permission-mode default --verbose --include-partial-messages --allowedTools mcp__json --resume json",
    );
  });

  it("refuses what the driver cannot do, and ids that would be read as options", () => {
    expect(() => buildCommand(findDriver("codex"), { ...TASK, allowTools: ["shell"] })).toThrow(
      /takes no list of allowed tools/,
    );
    expect(() => buildCommand(findDriver("copilot"), { ...TASK, session: "s1" })).toThrow(
      /cannot resume an earlier session/,
    );
    expect(() => buildCommand(findDriver("claude"), { ...TASK, session: "--continue" })).toThrow(
      /no session id/,
    );
    for (const name of ["claude", "codex", "opencode", "copilot"]) {
      const { talk, ...driver } = findDriver(name);
      const task = { session: "--continue", allowTools: [] };
      if (!talk) throw new Error(`${name} cannot be talked to`);
      expect(() => buildProtocolArguments({ ...driver, talk }, talk, task, ["--acp"]), name).toThrow(
        /no session id/,
      );
    }
  });
});

describe("a session that is talked to", () => {
  it("is continued by arguments or by the protocol, where an agent says itself whether it can", () => {
    const on = Object.fromEntries(
      ["claude", "codex", "opencode", "copilot", "gemini", "qwen", "cursor-agent"].map((name) => [
        name,
        [canResume(findDriver(name), true), canResume(findDriver(name), false)],
      ]),
    );
    expect(on).toEqual({
      claude: [true, true],
      codex: [true, true],
      opencode: [true, true],
      copilot: [true, false],
      gemini: [true, false],
      qwen: [true, false],
      "cursor-agent": [false, true],
    });
    const args = buildProtocolArguments(
      findDriver("gemini"),
      { speaks: "acp" },
      { session: "s1", allowTools: [] },
      ["--acp"],
    );
    expect(args).toEqual(["--acp"]);
  });
});

describe("a list of allowed tools", () => {
  it("holds names of the tool's tools, with patterns behind them, and tools of MCP servers", () => {
    expect(() =>
      validateAllowedTools(findDriver("claude"), ["Bash", "Bash(npm run *)", "mcp__ops__deploy"]),
    ).not.toThrow();
  });

  it.each(["Bsh", "bash(git *)", "--dangerously-skip-permissions", "Bash(", "*", ""])(
    "refuses %j",
    (tool) => {
      expect(() => validateAllowedTools(findDriver("claude"), [tool])).toThrow(/has no tool/);
    },
  );
});

describe("a driver that says little (driver spec: defaults)", () => {
  const driver = minimal();

  it("takes no allow-list, but is assumed to have sessions and live output, its command unchanged", () => {
    expect(driver.allowTools !== null).toBe(false);
    expect(driver.sessions).toBe(true);
    expect(driver.live !== null).toBe(true);
    expect(prepareLiveCommand(driver, ["-p", "x"])).toEqual(["-p", "x"]);
  });

  it("shows nothing, and finds its session in the usual places alone", () => {
    expect(driver).toMatchObject({ show: [], sessionIn: [], sessionList: null, minVersion: null });
  });

  it("has a general text for refusals", () => {
    expect(describePermissionDenial(driver)).toMatch(/^A permission of Mine was denied\./);
  });

  it("is refused without a required hook, and with an unknown key, with the nearest one", () => {
    expect(() => compileAdapter(file(["tools: [Read]", "command: [-p]"]), "mine.yaml")).toThrow(
      /display_name/,
    );
    expect(() => compileAdapter(file(["display_name: Mine", "command: [-p]"]), "mine.yaml")).toThrow(/tools/);
    expect(() => compileAdapter(file(["display_name: Mine", "tools: [Read]"]), "mine.yaml")).toThrow(
      /a command, or talk/,
    );
    expect(() => minimal("sesion_args: [--resume]")).toThrow(/session_args/);
  });
});
