import { describe, expect, it } from "vitest";
import { asId, type SessionId } from "../../../src/model/ids.js";
import { childEnvironment } from "../../../src/worker/transport/child-environment.js";

const session = asId<SessionId>("3f0e1d2c-0000-4000-8000-000000000001");

describe("the environment of a tool", () => {
  it("has nothing of ours but the mark of this session", () => {
    const environment = childEnvironment(
      {
        ATLASBRIDGE_HOME: "/h",
        ATLASBRIDGE_SESSION: "outer",
        ATLASBRIDGE_X: "secret",
        PATH: "/bin",
        NONE: undefined,
      },
      session,
    );
    expect(environment).toEqual({ ATLASBRIDGE_SESSION: session, PATH: "/bin", TERM: "xterm-256color" });
  });

  it("leaves the user's TERM, TMUX and size variables as they are", () => {
    const own = { TERM: "screen", TMUX: "/tmp/tmux", COLUMNS: "80", LINES: "24" };
    expect(childEnvironment(own, session)).toEqual({ ...own, ATLASBRIDGE_SESSION: session });
  });
});
