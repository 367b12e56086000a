/** The screen of a session is given as rows and cells for a chat, and an interrupt presses the tool's own key only while the tool works. */
import { INTERRUPT_PROBLEM } from "../../../../../src/model/interrupt-problem.js";
import { describe, expect, it } from "vitest";
import type { Signals } from "../../../../../src/sdk/view.js";
import type { ToolState } from "../../../../../src/model/tool-state.js";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { TerminalControls } from "../../../../../src/worker/runtimes/terminal/remote-controls.js";

interface Scene {
  readonly rows?: readonly (string | { readonly text: string; readonly wrapped: true })[];
  readonly signals?: Signals;
  readonly state?: ToolState | null;
  readonly asked?: "secret" | "yes_no";
  readonly answering?: boolean;
  readonly alive?: boolean;
  readonly interrupt?: readonly ("esc" | "ctrl-c")[];
  readonly working?: boolean;
}

interface Watched {
  readonly remoteControls: TerminalControls;
  readonly written: string[];
  readonly clock: ManualClock;
  readonly detector: { toolState: ToolState | null; detectNow: () => unknown };
}

function watch(scene: Scene): Watched {
  const { rows = [], signals = {}, state = "working", asked, answering = false, alive = true } = scene;
  const written: string[] = [];
  const known = scene.working === false ? [] : [{}];
  const lines = rows.map((row) =>
    typeof row === "string" ? { text: row, wrapped: false, runs: () => [] } : { ...row, runs: () => [] },
  );
  const clock = new ManualClock();
  const detector: Watched["detector"] = { toolState: state, detectNow: () => null };
  const remoteControls = new TerminalControls({
    clock,
    adapter: {
      states: { working: known, waiting: [], idle: [] } as never,
      interrupt: scene.interrupt ?? ["esc"],
    },
    prompts: {
      drawnPrompt: asked ? ({ event: { promptType: asked } } as never) : null,
      isAsking: asked !== undefined || answering,
    } as never,
    screen: {
      view: () => ({ lines, cols: 80, rows: lines.length, cursor: { x: 3, y: 0, visible: true } }),
    },
    signals: { current: signals },
    detector: detector as never,
    terminal: {
      alive,
      write: (bytes: Uint8Array) => {
        written.push(Buffer.from(bytes).toString());
        return Promise.resolve() as never;
      },
    },
  });
  return { remoteControls, written, clock, detector };
}

describe("the screen, as it is sent to a chat", () => {
  it("is its rows without the empty ones around them", () => {
    expect(watch({ rows: ["", "$ make", "", "done", "", ""] }).remoteControls.screen()).toEqual({
      text: "$ make\n\ndone",
      problem: null,
    });
  });

  it("joins what the terminal wrapped, so that nothing hides in a break", () => {
    const rows = ["token sk-abc", { text: "def", wrapped: true }, "next"] as const;
    expect(watch({ rows }).remoteControls.screen().text).toBe("token sk-abcdef\nnext");
  });

  it.each<Scene>([{ asked: "secret" }, { signals: { echo: false, canonical: true } }])(
    "is not shown while a secret is typed: %j",
    (scene) => {
      const { text, problem } = watch({ rows: ["Password:"], ...scene }).remoteControls.screen();
      expect(text).toBeNull();
      expect(problem).toContain("secret");
      expect(watch({ rows: ["Password:"], ...scene }).remoteControls.cells()).toBeNull();
    },
  );

  it("is available as cells, for a picture", () => {
    expect(watch({ rows: ["$ make"] }).remoteControls.cells()).toEqual({
      cols: 80,
      rows: 1,
      cursor: { x: 3, y: 0 },
      lines: [{ wrapped: false, runs: [] }],
    });
  });

  it("is shown of a tool that reads keys without echo, as all drawing tools do", () => {
    const signals = { echo: false, canonical: false };
    expect(watch({ rows: ["menu"], signals }).remoteControls.screen().text).toBe("menu");
  });
});

describe("interrupting a tool", () => {
  it.each([
    [["esc"], "\u001b"],
    [["ctrl-c"], "\u0003"],
  ] as const)("presses the tool's own key: %s", (interrupt, key) => {
    const { remoteControls, written } = watch({ interrupt });
    expect(remoteControls.interrupt()).toBeNull();
    expect(written).toEqual([key]);
  });

  it("presses a second key only where the tool wants one and goes on working", () => {
    const { remoteControls, written, clock, detector } = watch({ interrupt: ["esc", "esc"] });
    expect(remoteControls.interrupt()).toBeNull();
    expect(written).toEqual(["\u001b"]);
    clock.advance(1000);
    expect(written).toEqual(["\u001b", "\u001b"]);
    remoteControls.interrupt();
    detector.toolState = "idle";
    clock.advance(1000);
    expect(written).toHaveLength(3);
  });

  it("types nothing at a dialog that is drawn and not raised yet", () => {
    const { remoteControls, written, detector } = watch({ interrupt: ["esc"] });
    detector.detectNow = () => ({});
    expect(remoteControls.interrupt()).toBe("it asks a question: answer that");
    expect(written).toEqual([]);
  });

  it("does so of a tool whose work cannot be seen, unless it is known to be idle", () => {
    expect(watch({ working: false, state: null }).remoteControls.interrupt()).toBeNull();
    expect(watch({ working: false, state: "idle" }).remoteControls.interrupt()).toBe(INTERRUPT_PROBLEM.idle);
  });

  it.each<[string, Scene]>([
    ["asks a question", { asked: "yes_no" }],
    ["asks a question", { answering: true }],
    ["is idle; nothing to stop", { state: "idle" }],
    ["not working", { state: "waiting" }],
    ["not working", { state: null }],
    ["has ended", { alive: false }],
    ["does not know how to interrupt", { interrupt: [] }],
  ])("types nothing when it %s: %j", (why, scene) => {
    const { remoteControls, written } = watch(scene);
    expect(remoteControls.interrupt()).toContain(why);
    expect(written).toEqual([]);
  });
});
