/** The environment of a tool holds nothing of ours but the mark of its session and the place of our files. */
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { asId, type SessionId } from "../../../../src/model/ids.js";
import { createChildEnvironment } from "../../../../src/worker/process/child-environment.js";

const session = asId<SessionId>("3f0e1d2c-0000-4000-8000-000000000001");

describe("the environment of a tool", () => {
  it("has nothing of ours but the mark of this session and the place of our files", () => {
    const environment = createChildEnvironment(
      {
        ATLASBRIDGE_HOME: "/h",
        ATLASBRIDGE_SESSION: "outer",
        ATLASBRIDGE_X: "secret",
        PATH: "/bin",
        NONE: undefined,
      },
      session,
    );
    const own = { ATLASBRIDGE_HOME: "/h", ATLASBRIDGE_SESSION: session };
    expect(environment).toEqual({ ...own, PATH: "/bin", TERM: "xterm-256color" });
  });

  it("names the place of our files so that it holds in any directory: a run inside a run finds the same hub", () => {
    const { ATLASBRIDGE_HOME } = createChildEnvironment({ ATLASBRIDGE_HOME: "near" }, session);
    expect(ATLASBRIDGE_HOME).toBe(resolve("near"));
  });

  it("leaves the user's TERM, TMUX and size variables as they are", () => {
    const own = { TERM: "screen", TMUX: "/tmp/tmux", COLUMNS: "80", LINES: "24" };
    expect(createChildEnvironment(own, session)).toEqual({ ...own, ATLASBRIDGE_SESSION: session });
  });
});
