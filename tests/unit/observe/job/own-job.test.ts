/** A run stops with its whole job and goes on when that is continued, and knows whether it is in the background. */
import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../src/observe/clock.js";
import { OwnJob } from "../../../../src/observe/job/own-job.js";

function setup(stat = "7 (node) S 1 7 7 34816 7 0") {
  const events = new EventEmitter();
  const clock = new ManualClock();
  const sent: string[] = [];
  const job = new OwnJob({ events, clock, signalGroup: (signal) => sent.push(signal), readStat: () => stat });
  return { job, events, clock, sent };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("our own job", () => {
  it.each([
    ["has the terminal", "7 (node) S 1 7 7 34816 7 0", false],
    ["sees another job have it", "7 (node) S 1 7 5 34816 5 0", true],
    ["has a name with brackets and blanks", "7 (a) (b c) S 1 7 5 34816 5 0", true],
    ["has no terminal at all", "7 (node) S 1 7 7 0 -1 0", false],
    ["is told nothing", "", false],
  ])("%s", (_, stat, inBackground) => {
    expect(setup(stat).job.isInBackground).toBe(inBackground);
  });

  it("is not in the background where the system has no such file", () => {
    const readStat = () => {
      throw new Error("ENOENT");
    };
    expect(new OwnJob({ clock: new ManualClock(), readStat }).isInBackground).toBe(false);
  });

  it("stops as a whole and goes on when it is continued, after the other signals of that moment were told", async () => {
    const { job, events, sent } = setup();
    const told: string[] = [];
    events.on("SIGTERM", () => told.push("SIGTERM"));
    const stopped = job.stop("SIGTSTP").then((was) => told.push(`stopped: ${was}`));
    expect(sent).toEqual(["SIGTSTP"]);
    events.emit("SIGCONT");
    events.emit("SIGTERM");
    await stopped;
    expect(told).toEqual(["SIGTERM", "stopped: true"]);
    expect(events.listenerCount("SIGCONT")).toBe(0);
  });

  it("knows that it was not stopped when time goes on and nobody continued it", async () => {
    const { job, clock } = setup();
    const stopped = job.stop("SIGTTOU");
    clock.advance(1000);
    expect(await stopped).toBe(false);
  });

  it("takes a long stop for a stop, though its own timer is due at the same moment", async () => {
    const { job, clock, events } = setup();
    const stopped = job.stop("SIGTTOU");
    clock.advance(1000);
    events.emit("SIGCONT");
    await turn();
    expect(await stopped).toBe(true);
  });
});
