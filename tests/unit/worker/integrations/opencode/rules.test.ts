/**
 * A server of sessions is started on the loopback with a password of each run that is in no argument, and asks for what the
 * user's settings do not cover.
 */
import { describe, expect, it } from "vitest";
import { loadAdapter, getPackagePlace } from "../../../../../src/plugins/adapters/adapters.js";
import { systemRandom } from "../../../../../src/observe/random.js";
import {
  canResume,
  buildProtocolArguments,
} from "../../../../../src/worker/runtimes/exec/command-builder.js";
import { createExecLogin } from "../../../../../src/worker/integrations/exec-clients.js";
import { buildPermissionRules } from "../../../../../src/worker/integrations/opencode/server-setup.js";

const { headless: driver } = await loadAdapter("opencode", getPackagePlace());
if (!driver?.talk) throw new Error("opencode is not talked to");
const { talk } = driver;
const ask = (permission: string) => ({ permission, pattern: "*", action: "ask" });

describe("a server of sessions", () => {
  it("is started on the loopback alone, and its password is in no argument", () => {
    const args = buildProtocolArguments(driver, talk, { session: "ses_1", allowTools: [] }, []);
    expect(args).toEqual(["serve", "--hostname", "127.0.0.1", "--port", "0"]);
    expect(canResume(driver, true)).toBe(true);
  });

  it("gets a password of its own for each run, in the variables that it reads", () => {
    const [one, other] = [createExecLogin(talk, systemRandom), createExecLogin(talk, systemRandom)];
    expect(one?.environment).toEqual({
      OPENCODE_SERVER_USERNAME: one?.user,
      OPENCODE_SERVER_PASSWORD: one?.password,
    });
    expect(one?.password).toMatch(/^[0-9a-f]{32}$/);
    expect(one?.password).not.toBe(other?.password);
    expect(createExecLogin({ speaks: "acp" }, systemRandom)).toBeNull();
  });

  const others = [ask("webfetch"), ask("websearch"), ask("task")];

  it.each([
    ["nothing", {}, [ask("bash"), ask("edit"), ...others]],
    ["something of one tool", { permission: { bash: { "git *": "allow" } } }, [ask("edit"), ...others]],
    ["everything, by a pattern", { permission: { "*": "allow", edit: "deny" } }, []],
    ["everything, in a word", { permission: "allow" }, []],
    [
      "tools of servers",
      { mcp: { "my srv": {}, known: {} }, permission: { known_read: "allow" } },
      [ask("bash"), ask("edit"), ...others, ask("my_srv_*")],
    ],
    ["nothing that can be read", null, [ask("bash"), ask("edit"), ...others]],
  ])("asks for what its settings do not cover: they say %s", (_, config, rules) => {
    expect(buildPermissionRules(config)).toEqual(rules);
  });
});
