/** A flood of 50 MB, and the screens of real claude and codex, bare and in a run. */
import { makeFileFolder } from "../support/temporary-folder.js";
import { createHash } from "node:crypto";
import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RUN_ARGUMENTS } from "../pty/fidelity/support/shell-window.js";
import { noise } from "../pty/fidelity/support/sequences.js";
import { start } from "../pty/support/tools.js";
import { FakeModel } from "../support/fake-model/server.js";
import { installClaude, prepareClaude, type ToolCommand } from "../support/real-cli/claude.js";
import { codex } from "../support/real-cli/codex.js";
import { RealTerminal } from "../support/real-cli/terminal.js";
import { makeWorkspace } from "../support/real-cli/workspace.js";

const folder = makeFileFolder("long-fidelity");

/** Some hundred pauses in all. */
const PAUSE_EVERY = 25;
const HANG_UP_MS = 10_000;
const FLOOD_BYTES = 50 * 1024 * 1024;

describe("a flood of 50 MB", () => {
  it.each([
    ["that the terminal takes at once", 0],
    ["that the terminal takes with pauses", 5],
  ])("%s comes out whole", { timeout: 180_000 }, async (_, pauseMs) => {
    const file = join(folder, "flood");
    writeFileSync(file, noise(FLOOD_BYTES, 17));
    const outer = start([...RUN_ARGUMENTS, "sh", "-c", `stty raw; cat ${file}`]);
    const hash = createHash("sha256");
    let length = 0;
    let chunks = 0;
    outer.onData((chunk) => {
      hash.update(chunk);
      length += chunk.length;
      chunks += 1;
      if (pauseMs === 0 || chunks % PAUSE_EVERY !== 0) return;
      outer.pause();
      setTimeout(() => outer.resume(), pauseMs);
    });
    await outer.exited;
    const wanted = createHash("sha256");
    for await (const part of createReadStream(file)) wanted.update(part as Buffer);
    expect([length, hash.digest("hex")]).toEqual([FLOOD_BYTES, wanted.digest("hex")]);
  });
});

const inRun = (command: ToolCommand): ToolCommand => {
  const [file, ...args] = RUN_ARGUMENTS;
  return { ...command, file, args: [...args, "--no-hooks", command.file, ...command.args] };
};

/** The screen at rest after `shown`; in the same workspace each time, for its path is on the screen. */
async function captureScreen(command: ToolCommand, shown: RegExp): Promise<string> {
  const terminal = new RealTerminal(command);
  try {
    await terminal.waitFor(shown);
    await terminal.settled();
    return terminal.screen;
  } finally {
    // It writes into its home while it ends.
    await terminal.hangUp(HANG_UP_MS);
    await terminal.close();
  }
}

/** The first start tells news that later ones do not. */
async function compare(command: ToolCommand, shown: RegExp): Promise<void> {
  await captureScreen(command, shown);
  const bare = await captureScreen(command, shown);
  expect(await captureScreen(inRun(command), shown)).toBe(bare);
}

const claude = await installClaude();
const codexInstalled = await codex.install();

describe("the screen is the same as without us", () => {
  it.skipIf(!claude.ok)("of the real claude", async () => {
    const api = await FakeModel.start();
    const command = prepareClaude({ modules: claude.ok ? claude.modules : "", apiUrl: api.url });
    try {
      // The hints below its box come last, on a busy machine well after it.
      await compare(command, /^❯\u00a0[\s\S]+for shortcuts · ← for agents/m);
    } finally {
      await api.close();
      await command.dispose();
    }
  });

  it.skipIf(!codexInstalled.ok)("of the real codex", async () => {
    const api = await FakeModel.start();
    const workspace = makeWorkspace();
    const modules = codexInstalled.ok ? codexInstalled.modules : "";
    try {
      await compare(codex.prepare({ modules, modelUrl: api.url, workspace }, {}), /^[›❯>] /m);
    } finally {
      await api.close();
      await workspace.dispose();
    }
  });
});
