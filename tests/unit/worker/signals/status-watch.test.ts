/** The declared state of a tool is its last signed report, and is unknown once the tool takes it back. */
import { describe, expect, it } from "vitest";
import { StatusWatch } from "../../../../src/worker/signals/status-watch.js";

function watch() {
  const answers: string[] = [];
  let changes = 0;
  const status = new StatusWatch({
    app: "tool",
    answer: (bytes) => answers.push(Buffer.from(bytes).toString("latin1")),
    onChange: () => changes++,
  });
  return {
    status,
    answers,
    changes: () => changes,
    see: (text: string) => status.onOutput(Buffer.from(text)),
  };
}

describe("the state that a tool declares", () => {
  it("is its last report", () => {
    const { status, see, changes } = watch();
    expect(status.declared).toBeUndefined();
    see("\x1b]7501;state=working:app=tool\x07\x1b]7501;state=blocked:app=tool:kind=permission\x07");
    expect(status.declared).toEqual({ state: "blocked", kind: "permission" });
    expect(changes()).toBe(2);
  });

  it("is unknown again once the tool takes it back", () => {
    const { status, see } = watch();
    see("\x1b]7501;state=idle:app=tool\x07\x1b]7501;state=clear\x07");
    expect(status.declared).toBeUndefined();
  });

  it("is not the report of another program or of a part of the tool", () => {
    const { status, see } = watch();
    see("\x1b]7501;state=idle:app=tool\x07");
    see("\x1b]7501;state=blocked:app=other\x07\x1b]7501;state=working:app=tool:id=agent-1\x07");
    expect(status.declared).toEqual({ state: "idle" });
  });

  it("is not an unsigned report, except one that takes the state back", () => {
    const { status, see, changes } = watch();
    see("\x1b]7501;state=idle\x07\x1b]7501;state=blocked:kind=permission\x1b\\");
    expect(status.declared).toBeUndefined();
    expect(changes()).toBe(0);
    see("\x1b]7501;state=working:app=tool\x07\x1b]7501;state=idle\x07");
    expect(status.declared).toEqual({ state: "working" });
    see("\x1b]7501;state=clear:app=other\x07");
    expect(status.declared).toEqual({ state: "working" });
    see("\x1b]7501;state=clear\x07");
    expect(status.declared).toBeUndefined();
  });

  it("is asked for by the tool, and answered once", () => {
    const { answers, see } = watch();
    see("\x1b]7501;?\x1b\\");
    see("\x1b]7501;?\x1b\\");
    expect(answers).toEqual(["\x1b]7501;?\x1b\\"]);
  });
});
