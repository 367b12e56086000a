/** Status reports of a tool (OSC 7501) are found in its output, also in pieces, and invalid ones are ignored. */
import { describe, expect, it } from "vitest";
import {
  NO_REST,
  parseStatus,
  scanStatus,
  STATUS_BYTES_MAX,
} from "../../../../src/worker/signals/program-status.js";

const b64 = (text: string): string => Buffer.from(text).toString("base64");
const scan = (...pieces: string[]) => {
  let rest = NO_REST;
  return pieces.flatMap((piece) => {
    const step = scanStatus(rest, Buffer.from(piece, "latin1"));
    rest = step.rest;
    return step.messages;
  });
};
const report = (state: string, more: object = {}) => ({
  kind: "report",
  state,
  app: null,
  blockedOn: null,
  message: null,
  part: null,
  ...more,
});

describe("the status report of a tool (OSC 7501)", () => {
  it("reads a whole report", () => {
    const message = "approve Bash: rm -rf build";
    expect(scan(`\x1b]7501;state=blocked:app=claude-code:kind=permission:msg=${b64(message)}\x1b\\`)).toEqual(
      [report("blocked", { app: "claude-code", blockedOn: "permission", message })],
    );
  });

  it.each(["\x1b]7501;?\x1b\\", "\x1b]7501;?\x07", "\x1b]7501;?:v=1\x07"])(
    "knows the question %j",
    (bytes) => {
      expect(scan(bytes)).toEqual([{ kind: "query" }]);
    },
  );

  it("finds messages between other output, in order", () => {
    const bytes = "hi\x1b]0;title\x07\x1b]7501;state=idle\x07there\x1b[2J\x1b]7501;state=working\x1b\\x";
    expect(scan(bytes)).toEqual([report("idle"), report("working")]);
  });

  it("joins a message that came in pieces, one byte each", () => {
    expect(scan(...[..."x\x1b]7501;state=done:app=a\x1b\\y\x1b]7501;?\x07"])).toEqual([
      report("done", { app: "a" }),
      { kind: "query" },
    ]);
  });

  it("believes a state whose words are no base64, without the words", () => {
    for (const words of ["%%%", "abc", "a===", "////8"]) {
      expect(scan(`\x1b]7501;state=error:msg=${words}\x07`)).toEqual([report("error")]);
    }
  });

  it("keeps what belongs to a part of the tool apart", () => {
    expect(scan(`\x1b]7501;state=working:id=a1:title=${b64("run")}\x07`)).toEqual([
      report("working", { part: "a1" }),
    ]);
  });

  it("takes the first of two equal keys", () => {
    expect(parseStatus("state=idle:state=blocked")).toMatchObject({ state: "idle" });
  });

  it.each(["state=sleeping", "app=x", "", "state", "state=", ":::=:"])("ignores %j", (body) => {
    expect(parseStatus(body)).toBeNull();
  });

  it("drops a message that another sequence, a control byte or a letter beyond ASCII breaks off", () => {
    for (const broken of ["\x1b[2J", "\x18", "\n", "\xe9"]) {
      expect(scan(`\x1b]7501;state=bl${broken}ocked\x07\x1b]7501;state=idle\x07`)).toEqual([report("idle")]);
    }
  });

  it("does not wait for the end of what is too long to be a message", () => {
    const endless = `\x1b]7501;state=idle:msg=${"A".repeat(STATUS_BYTES_MAX)}`;
    const step = scanStatus(NO_REST, Buffer.from(endless));
    expect(step.rest).toHaveLength(0);
    expect(scan(`${endless}AAAA\x07`, "\x1b]7501;state=done\x07")).toEqual([report("done")]);
  });
});
