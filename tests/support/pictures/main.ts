/** Makes the pictures of the documentation anew: `npm run pictures`. What they show is the real command in a real tmux. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createScreenPainter } from "../../../src/hub/picture/paint.js";
import type { ScreenCells } from "../../../src/sdk/view.js";
import { systemClock } from "../../../src/observe/clock.js";
import { Screen } from "../../../src/worker/screen/screen.js";
import { openPty } from "../../../src/worker/pty/pty.js";
import { FakeWorker } from "../fake-worker.js";
import { eventually, HubHome, MAIN } from "../hub-home.js";

const OUT = "docs/images";
const SIZE = { cols: 84, rows: 24 };
const RECORDING = "prompt-lab/scenarios/claude/bash-npm-80x24-2.1.329.jsonl";
const KEY = { enter: "\r", down: "\u001b[B" } as const;
const SERVER = `atlasbridge-pictures-${process.pid}`;

const STARTED_AGO_MS = 11 * 60_000;

const paint = createScreenPainter("fonts");

async function save(name: string, screen: Screen, { cols, rows } = SIZE): Promise<void> {
  await screen.flushed();
  const { lines, cursor } = screen.view();
  const cells: ScreenCells = {
    cols,
    rows,
    cursor: cursor.visible ? { x: cursor.x, y: cursor.y } : null,
    lines: lines.map((line) => ({ wrapped: line.wrapped, runs: line.runs() })),
  };
  const png = await paint(cells);
  if (!png) throw new Error("the optional renderer is not installed");
  mkdirSync(OUT, { recursive: true });
  writeFileSync(`${OUT}/${name}.png`, png);
}

const QUESTION = {
  excerpt: "Do you want to proceed?",
  content: {
    text: [
      "Bash command",
      "",
      "  rm -rf build && npm run build -- --mode production",
      "  Clean and build again",
      "",
      'export REGISTRY_TOKEN="[40 hidden]"',
    ].join("\n"),
    cut: null,
  },
};

async function pictureWatch(): Promise<void> {
  const home = new HubHome();
  const worker = new FakeWorker(home.paths, {
    tool: "claude",
    label: "api",
    cwd: "/home/ara/api",
    startedAt: Date.now() - STARTED_AGO_MS,
  });
  const screen = new Screen(SIZE);
  const env = { ...home.env, TERM: "xterm-256color" } as Record<string, string>;
  try {
    await eventually(() => worker.link.state === "connected");
    await worker.raise(QUESTION);
    await worker.raise({ excerpt: "Which tests shall I run?", safetyClass: "question" });
    await worker.link.call("session.state", { sessionId: worker.sessionId, state: "waiting" });
    const watch = `${process.execPath} ${MAIN} watch`;
    // Neither the name of a machine nor the hour belongs into a picture.
    const plain = ["set-option", "-g", "status-right", "", ";", "rename-window", "watch"];
    const command = ["tmux", "-L", SERVER, "-f", "/dev/null", "new-session", watch, ";", ...plain];
    const terminal = openPty({ command, env, cwd: process.cwd(), size: SIZE, clock: systemClock });
    terminal.onData((bytes) => screen.write(bytes));
    const shows = (text: string) =>
      eventually(async () => {
        await screen.flushed();
        return screen.view().lines.some((line) => line.text.includes(text));
      });
    await shows("Which tests");
    await save("watch-list", screen);
    void terminal.write(Buffer.from(KEY.enter));
    await shows("↑↓ choose");
    void terminal.write(Buffer.from(KEY.down));
    await shows("❯ 1 Yes");
    await save("watch-question", screen);
    terminal.kill("SIGTERM");
    terminal.close();
  } finally {
    spawnSync("tmux", ["-L", SERVER, "kill-server"]);
    worker.close();
    await home.close();
  }
}

/** A dialog of a real tool, as it was recorded. */
async function pictureDialog(): Promise<void> {
  const size = { cols: 80, rows: 24 };
  const screen = new Screen(size);
  for (const line of readFileSync(RECORDING, "utf8").split("\n")) {
    const event = line === "" ? {} : (JSON.parse(line) as { data_b64?: string });
    if (event.data_b64 !== undefined) screen.write(Buffer.from(event.data_b64, "base64"));
  }
  await save("terminal", screen, size);
}

await pictureWatch();
await pictureDialog();
