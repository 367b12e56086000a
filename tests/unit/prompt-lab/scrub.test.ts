/** A scrubbed recording names neither home, user nor machine, also across chunks, and hides typed text. */
import { describe, expect, it } from "vitest";
import { scrubRecording, type Owner } from "../../../prompt-lab/record/scrub.js";
import type { RecordingEvent } from "../../../src/worker/screen/recording-event.js";

const OWNER: Owner = { home: "/home/alexandra", user: "alexandra", host: "thinkpad.example.org" };

const data = (text: string, time = 0): RecordingEvent => ({
  t_ms: time,
  data_b64: Buffer.from(text).toString("base64"),
});
const input = (text: string): RecordingEvent => ({
  t_ms: 0,
  input_b64: Buffer.from(text).toString("base64"),
});

function scrubbed(events: readonly RecordingEvent[], owner: Owner = OWNER): string[] {
  return scrubRecording(events, owner).map((event) => {
    if ("resize" in event) return `${event.resize[0]}x${event.resize[1]}`;
    return Buffer.from("data_b64" in event ? event.data_b64 : event.input_b64, "base64").toString();
  });
}

describe("a scrubbed recording", () => {
  it("names neither the home, nor the user, nor the machine, and keeps every length", () => {
    const before = "alexandra@thinkpad:/home/alexandra/proj (thinkpad.example.org)";
    const [after = ""] = scrubbed([data(before)]);
    expect(after).toBe("useruseru@hosthost:/home/useruseru/proj (hosthosthosthosthost)");
    expect(after.length).toBe(before.length);
  });

  it("finds a name that two chunks share, and leaves the chunks as they were", () => {
    expect(scrubbed([data("at /home/alex"), { t_ms: 1, resize: [90, 20] }, data("andra/x", 2)])).toEqual([
      "at /home/user",
      "90x20",
      "useru/x",
    ]);
  });

  it("leaves other words alone that hold a name", () => {
    expect(scrubbed([data("alexandras thinkpads")])).toEqual(["alexandras thinkpads"]);
  });

  it("leaves names alone that are generic or would match in every text", () => {
    const owner = { home: "/root", user: "root", host: "vm" };
    expect(scrubbed([data("root@vm:/root")], owner)).toEqual(["root@vm:/root"]);
  });

  it("keeps bytes that are no text", () => {
    const bytes = Buffer.from([0, 255, 254, 27, 91, 109]);
    const [event] = scrubRecording([{ t_ms: 0, data_b64: bytes.toString("base64") }], OWNER);
    expect(event).toEqual({ t_ms: 0, data_b64: bytes.toString("base64") });
  });

  it("takes names for words, not for patterns", () => {
    expect(scrubbed([data("axb a.b")], { home: "/x", user: "a.b", host: "" })).toEqual(["axb use"]);
  });

  it("keeps the keys that act and hides what was typed", () => {
    expect(scrubbed([input("pässword\r")])).toEqual(["xxxxxxxxx\r"]);
    expect(scrubbed([input("\u001b[B\u001bOA\u001b[200~secret\u001b[201~\t\u001b")])).toEqual([
      "\u001b[B\u001bOA\u001b[200~xxxxxx\u001b[201~\t\u001b",
    ]);
  });
});
