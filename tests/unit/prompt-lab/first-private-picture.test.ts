/** A recording that still holds something private after scrubbing is reported with the place. */
import { describe, expect, it } from "vitest";
import { scrubRecording, type Owner, findFirstPrivatePicture } from "../../../prompt-lab/record/scrub.js";

const OWNER: Owner = { home: "/home/alexandra", user: "alexandra", host: "thinkpad" };

/** Scrubbed, then looked for. */
function told(...pieces: readonly string[]) {
  const events = pieces.map((text, index) => ({
    t_ms: index * 100,
    data_b64: Buffer.from(text).toString("base64"),
  }));
  return findFirstPrivatePicture({ cols: 40, rows: 10, events: scrubRecording(events, OWNER) }, OWNER);
}

describe("a scrubbed recording", () => {
  it("gives no report where the scrubber found every name", async () => {
    expect(await told("hello alexandra", "\r\n/home/alexandra/x", "\r\nat alex", "andra")).toBeNull();
  });

  it("is reported with the instant at which a name was drawn in pieces", async () => {
    const [begin, end] = ["\u001b[1;1Hal\u001b[3;1Hother", "\u001b[1;3Hexandra"];
    expect(await told("nothing", begin, end)).toEqual({ atMs: 200 });
  });

  it("is read across the ends of its rows", async () => {
    const pieces = ["\u001b[1;35H/alexa", "\u001b[3;1Hx\u001b[2;1Hndra/x"];
    expect(await told(...pieces)).toEqual({ atMs: 100 });
  });

  it("is reported for secrets and for other people, too", async () => {
    expect(await told("\u001b[1;1H/home/so\u001b[2;1Hx", "\u001b[1;9Hphie/y")).toEqual({ atMs: 100 });
  });
});
