/** An answer to a request of a joined tool's server is confirmed only when the server says that the request is over. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import type { RequestEnd } from "../../../../../src/worker/prompts/reply-path.js";
import { ServerCall } from "../../../../../src/worker/runtimes/attachment/server-call.js";

function call(isHeard = true) {
  const gone: RequestEnd[] = [];
  const clock = new ManualClock();
  const made = new ServerCall({ clock, send: () => isHeard });
  made.onEnd((why) => gone.push(why));
  return { made, gone, clock };
}

describe("a request of a joined tool's server", () => {
  it("is lost where its answer is not received, and nothing waits for it any more", async () => {
    const { made, gone } = call(false);
    expect(await made.answer({ decision: "accept" })).toBe("gone");
    expect(gone).toEqual(["lost"]);
    made.markLost();
    expect(gone).toEqual(["lost"]);
    expect(made.isOpen).toBe(false);
  });

  it("is answered when its server says that it is over, and unknown where it says nothing in time", async () => {
    const { made, gone } = call();
    const answered = made.answer({});
    made.markResolved();
    expect(await answered).toBe("delivered");
    expect(gone).toEqual([]);
    const silent = call();
    const waiting = silent.made.answer({});
    silent.clock.advance(5000);
    expect(await waiting).toBe("unknown");
  });

  it("reports that another client was first, before our answer and after it", async () => {
    const before = call();
    before.made.markOvertaken();
    expect(before.gone).toEqual(["answered"]);
    expect(await before.made.answer({})).toBe("gone");
    const after = call();
    const late = after.made.answer({});
    after.made.markOvertaken();
    expect(await late).toBe("gone");
    expect(after.gone).toEqual(["answered"]);
  });
});
