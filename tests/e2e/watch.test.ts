/**
 * `watch` on a real terminal, with a real hub, shows a prompt, answers it, follows the size of the terminal and a new hub, and
 * restores the terminal when it ends.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Screen } from "../../src/worker/screen/screen.js";
import { KEY, noShell, ShellWindow } from "../pty/fidelity/support/shell-window.js";
import { FakeWorker } from "../support/fake-worker.js";
import { eventually, HubHome, MAIN } from "../support/hub-home.js";
import { skipped } from "../support/skipped.js";

const DOWN = "\u001b[B";
const END = "\u001b[F";
const PAGE_DOWN = "\u001b[6~";
/** A program that reads Esc by itself waits a moment for more. */
const ESC = KEY.escape;

/** A window, and what stands on it now. */
class Watched {
  readonly window: ShellWindow;
  #size = { cols: 80, rows: 24 };
  #screen = new Screen(this.#size);
  #read = 0;

  constructor(window: ShellWindow) {
    this.window = window;
  }

  /** The rows of the screen, without blanks at their ends. */
  async text(): Promise<string> {
    const fresh = this.window.text.slice(this.#read);
    this.#read += fresh.length;
    this.#screen.write(Buffer.from(fresh, "latin1"));
    await this.#screen.flushed();
    const { lines } = this.#screen.view();
    return lines.map((line) => line.text).join("\n");
  }

  async until(shown: string | RegExp): Promise<string> {
    return eventually(async () => {
      const text = await this.text();
      return (typeof shown === "string" ? text.includes(shown) : shown.test(text)) && text;
    }).catch(async () => {
      throw new Error(`${String(shown)} was never shown:\n${await this.text()}`);
    });
  }

  async resize(cols: number, rows: number): Promise<void> {
    await this.text();
    this.#size = { cols, rows };
    this.#screen.resize(this.#size);
    this.window.terminal.resize(this.#size);
  }

  /** What a terminal that was there all the time would have to undo. */
  async leftModes(): Promise<string> {
    await this.text();
    return this.#screen.undoModes();
  }
}

describe.skipIf(skipped(noShell))("watch on a terminal", () => {
  let home: HubHome;
  let worker: FakeWorker;
  let open: ShellWindow[] = [];
  beforeAll(async () => {
    home = new HubHome();
    worker = new FakeWorker(home.paths);
    await eventually(() => worker.link.state === "connected");
  });
  afterEach(async () => {
    await Promise.all(open.map((window) => window.close()));
    open = [];
  });
  afterAll(async () => {
    worker.close();
    await home.close();
  });

  async function start(size?: { cols: number; rows: number }): Promise<Watched> {
    const window = await ShellWindow.open();
    open.push(window);
    const watched = new Watched(window);
    if (size) await watched.resize(size.cols, size.rows);
    window.enter(`echo over here; ATLASBRIDGE_HOME=${home.folder} ${process.execPath} ${MAIN} watch`);
    await watched.until("Sessions");
    return watched;
  }

  it("shows a question as it comes, pages through its content and answers it, in a small terminal too", async () => {
    worker.outcome = "answered";
    const watched = await start({ cols: 45, rows: 20 });
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1} of it`).join("\n");
    const shortId = await worker.raise({ excerpt: "Shall I go on?", content: { text: lines, cut: null } });
    await watched.until(`❯ ${shortId.padEnd(3)} bash`);
    watched.window.type(KEY.enter);
    await watched.until("line 2 of it");
    watched.window.type(PAGE_DOWN.repeat(9));
    await watched.until("line 40 of it");
    // Nothing is chosen yet: this Enter answers nothing.
    watched.window.type(KEY.enter);
    await watched.until("Choose with");
    watched.window.type(`${DOWN}${DOWN}${DOWN}${KEY.enter}`);
    await watched.until(`${shortId}: ✅`);
    expect(worker.replies.at(-1)).toMatchObject({ value: "3", channelIdentity: "cli:local" });
    await watched.until("No open prompts.");
  });

  it("offers to ask again for an answer that was not proved, as its card does", async () => {
    worker.outcome = "uncertain";
    const watched = await start();
    const shortId = await worker.raise({ excerpt: "Did it take that?" });
    await watched.until(`❯ ${shortId.padEnd(3)} bash`);
    watched.window.type(KEY.enter);
    await watched.until("Enter answer");
    watched.window.type(`${DOWN}${KEY.enter}`);
    await watched.until(`🔁 ${shortId} ❔`);
    watched.window.type(END);
    await watched.until("Enter ask again");
    watched.window.type(KEY.enter);
    const text = await watched.until("the prompt is gone");
    expect(text).not.toContain("🔁");
  });

  it("takes words, also pasted ones of several lines, and leaves out what a terminal would act on", async () => {
    const watched = await start();
    const shortId = await worker.raise({
      promptType: "free_text",
      excerpt: "What shall I call it?",
      choices: [],
      defaultChoice: null,
      constraints: { multiline: true },
    });
    await watched.until(`❯ ${shortId.padEnd(3)} bash`);
    watched.window.type(KEY.enter);
    await watched.until("❯   Type an answer");
    watched.window.type("a név: ");
    await watched.until("Enter send");
    await watched.until("> a név:");
    watched.window.type("\u001b[200~one\rtwo\u001b[201~");
    await watched.until("one␤two");
    watched.window.type(KEY.enter);
    await eventually(() => worker.replies.some(({ value }) => value === "a név: one\ntwo"));
  });

  it("draws the same prompt again at a new size of the terminal", async () => {
    const watched = await start();
    const shortId = await worker.raise({ excerpt: "Wide or narrow?" });
    await watched.until(`❯ ${shortId}`);
    await watched.resize(40, 12);
    await watched.until(/❯ \S+ +bash · permission/);
    watched.window.type(KEY.enter);
    await watched.until(/Wide or narrow\?[^]*↑↓ · Enter/);
    await watched.resize(120, 40);
    await watched.until(/Esc back\s*$/);
    watched.window.type(ESC);
    await watched.until("q quit");
    await worker.link.call("prompt.withdraw", {
      promptId: await readId(shortId),
      reason: "answered_locally",
    });
    await watched.until(`${shortId} `);
  });

  async function readId(shortId: string): Promise<string> {
    const prompts = await home.data<{ shortId: string; promptId: string }[]>("prompts");
    return prompts.find((prompt) => prompt.shortId === shortId)?.promptId ?? "";
  }

  it("continues with the next hub when its hub is killed, and restores the terminal when it ends", async () => {
    const watched = await start();
    const before = "over here";
    process.kill(await eventually(() => home.hubPid()), "SIGKILL");
    const shortId = await worker.raise({ excerpt: "Still there?" });
    await watched.until(`${shortId.padEnd(3)} bash`);
    watched.window.type("q");
    await watched.window.prompt(0);
    expect(await watched.text()).toContain(before);
    expect(await watched.text()).not.toContain("Still there?");
    expect(await watched.leftModes()).toBe("");
  });

  it.each([
    ["Ctrl-C", null, 0],
    ["SIGTERM", "SIGTERM", 143],
    ["SIGHUP", "SIGHUP", 129],
    ["SIGINT", "SIGINT", 130],
  ] as const)("restores the terminal after %s", async (_, signal, code) => {
    const watched = await start();
    const { window } = watched;
    if (signal === null) window.type(KEY.ctrlC);
    else {
      window.type(KEY.ctrlZ);
      await window.until(/Stopped/);
      await window.prompt();
      const pid = Number(await window.answer("jobs -p"));
      // Zero would be ourselves.
      expect(pid).toBeGreaterThan(1);
      expect(await watched.leftModes()).toBe("");
      window.enter("fg");
      await watched.until("Sessions");
      process.kill(pid, signal);
    }
    await window.prompt(code);
    expect(await watched.leftModes()).toBe("");
    expect(await window.answer("stty -a | grep -o ' icanon' | tr -d ' '")).toBe("icanon");
  });
});
