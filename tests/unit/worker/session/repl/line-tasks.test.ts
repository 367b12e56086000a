/** Tasks from a pipe are whole lines that run one after the other, and end when all are done. */
import { describe, expect, it } from "vitest";
import { LineTasks } from "../../../../../src/worker/session/repl/line-tasks.js";

function tasks() {
  const said: string[] = [];
  const lines = new LineTasks({ onTask: (text) => said.push(text), onEnd: () => said.push("(end)") });
  return { said, lines, take: (text: string) => lines.take(Buffer.from(text)) };
}

describe("tasks from a pipe", () => {
  it("wait until the tool is free, and go one by one", () => {
    const { said, lines, take } = tasks();
    take("one\ntwo\n");
    expect(said).toEqual([]);
    lines.startNext();
    expect(said).toEqual(["one"]);
    lines.startNext();
    lines.startNext();
    expect(said).toEqual(["one", "two"]);
    take("three\n");
    expect(said).toEqual(["one", "two", "three"]);
  });

  it("end when all are done, the last one without a line end", () => {
    const { said, lines, take } = tasks();
    take("one\nla");
    take("st");
    lines.end();
    lines.startNext();
    lines.startNext();
    expect(said).toEqual(["one", "last"]);
    lines.startNext();
    expect(said).toEqual(["one", "last", "(end)"]);
  });

  it("are whole lines, wherever the bytes were cut, and never blank", () => {
    const { said, lines } = tasks();
    const bytes = Buffer.from("  \r\ngrüße\r\n");
    lines.startNext();
    for (const byte of bytes) lines.take(Uint8Array.of(byte));
    expect(said).toEqual(["grüße"]);
  });
});
