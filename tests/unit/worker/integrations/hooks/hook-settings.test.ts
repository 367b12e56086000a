/** The settings of one run add our hooks after every hook of the user and change nothing else. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addHooks } from "../../../../../src/worker/integrations/hooks/hook-settings.js";
import { reachesLoopback } from "../../../../../src/worker/integrations/hooks/tool-proxy.js";

const address = { port: 4711, secret: "s3cret", command: "'node' 'main.js' hook 'file'" };
const wanted = {
  events: [
    { name: "PermissionRequest", by: "http" as const },
    { name: "SessionStart", by: "command" as const },
  ],
  timeoutSeconds: 600,
};
const OURS = {
  PermissionRequest: {
    hooks: [
      {
        type: "http",
        url: "http://127.0.0.1:4711/",
        headers: { Authorization: "Bearer s3cret" },
        timeout: 600,
      },
    ],
  },
  SessionStart: { hooks: [{ type: "command", command: address.command, timeout: 600 }] },
};

describe("the settings of one run", () => {
  it("are our hooks alone where the user gave none", () => {
    expect(addHooks({}, wanted, address)).toEqual({
      hooks: { PermissionRequest: [OURS.PermissionRequest], SessionStart: [OURS.SessionStart] },
    });
  });

  it("keep every setting and every hook of the user, before ours", () => {
    const own = { matcher: "Bash", hooks: [{ type: "command", command: "mine" }] };
    const user = { model: "opus", hooks: { PermissionRequest: [own], Stop: [own] } };
    expect(addHooks(user, wanted, address)).toEqual({
      model: "opus",
      hooks: {
        PermissionRequest: [own, OURS.PermissionRequest],
        Stop: [own],
        SessionStart: [OURS.SessionStart],
      },
    });
  });

  it("are left alone where no hooks can be added to them", () => {
    for (const user of [null, [], "x", 1, { hooks: [] }, { hooks: { PermissionRequest: {} } }])
      expect(addHooks(user, wanted, address)).toBeNull();
  });

  it("change nothing else of any settings", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (user) => {
        const merged = addHooks(user, wanted, address);
        if (merged) expect({ ...merged, hooks: null }).toEqual({ ...user, hooks: null });
      }),
    );
  });
});

describe("whether a tool's hook calls reach us", () => {
  it.each([
    [{}, true],
    [{ HTTPS_PROXY: "http://proxy:3128" }, false],
    [{ https_proxy: "http://proxy:3128" }, false],
    [{ http_proxy: "", HTTP_PROXY: "http://proxy:3128" }, false],
    [{ HTTPS_PROXY: "http://proxy", no_proxy: "", NO_PROXY: "127.0.0.1" }, true],
    [{ HTTPS_PROXY: "http://proxy", no_proxy: ".corp", NO_PROXY: "127.0.0.1" }, false],
    [{ HTTP_PROXY: "http://proxy:3128" }, false],
    [{ http_proxy: "http://proxy:3128" }, false],
    [{ ALL_PROXY: "socks5://proxy" }, false],
    [{ HTTP_PROXY: "" }, true],
    [{ HTTP_PROXY: "http://proxy", NO_PROXY: "localhost, 127.0.0.1" }, true],
    [{ HTTP_PROXY: "http://proxy", no_proxy: "*" }, true],
    [{ HTTP_PROXY: "http://proxy", NO_PROXY: "localhost,.corp" }, false],
  ])("%j: %s", (environment, reaches) => {
    expect(reachesLoopback(environment)).toBe(reaches);
  });
});
