/** `doctor` checks the version of Node and whether each addon loads, and says what to do where one does not. */
import { describe, expect, it } from "vitest";
import { type AddonLoad, checkAddon, checkNode } from "../../../src/doctor/runtime.js";

const NODE = { node: "20.20.2", abi: "115" };

describe("the version of Node", () => {
  it.each([
    ["20.19.0", "ok", "Node 20.19.0; 24 is recommended"],
    ["24.21.0", "ok", "Node 24.21.0"],
    ["26.10.0", "ok", "Node 26.10.0"],
    ["25.1.0", "warn", "Node 25.1.0, which AtlasBridge was not tested with"],
    ["28.0.0", "warn", "Node 28.0.0, which AtlasBridge was not tested with"],
  ])("%s is %s", (node, state, found) =>
    expect(checkNode({ node, abi: "0" })).toMatchObject({ state, found }),
  );
});

describe("an addon as doctor sees it", () => {
  const check = (load: AddonLoad) =>
    checkAddon({ addon: "better-sqlite3", root: "/opt/atlasbridge", load }, NODE);

  it("that loads is no fault", () => {
    expect(check({ kind: "loaded", version: "12.11.1" })).toMatchObject({ state: "ok", action: null });
  });

  // What Node, its loader and the addons' own loaders really print.
  it.each([
    [
      "The module '/x/better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 127. This version of Node.js requires\nNODE_MODULE_VERSION 115. Please try re-compiling or re-installing",
      "was built for another Node (ABI 127; Node 20.20.2 has ABI 115)",
    ],
    [
      "Could not locate the bindings file. Tried:\n → /x/build/better_sqlite3.node",
      "was never built: npm did not run its install script",
    ],
    [
      "Failed to load native module: pty.node, checked: build/Release, build/Debug, prebuilds/linux-x64: Error: Cannot find module '../prebuilds/linux-x64//pty.node'",
      "was never built: npm did not run its install script",
    ],
    ["/x/better_sqlite3.node: invalid ELF header", "was built for another architecture"],
    [
      "/lib/libc.so.6: version `GLIBC_2.38' not found (required by /x/better_sqlite3.node)",
      "was built for a newer system (it needs GLIBC_2.38)",
    ],
    ["something new\nand more of it", "cannot be loaded: something new"],
  ])("whose error is %j is reported in one line, with what to do", (message, found) => {
    const finding = check({ kind: "threw", message });
    expect(finding).toMatchObject({ state: "fail", found });
    expect(finding.action).toContain("`npm rebuild better-sqlite3` in /opt/atlasbridge");
  });

  it.each([{ kind: "absent" }, { kind: "threw", message: "Cannot find module" }] as const)(
    "that only draws pictures is a warning when it is $kind: there is text instead",
    (load) => {
      const finding = checkAddon({ addon: "@resvg/resvg-js", root: "/opt/atlasbridge", load }, NODE);
      expect(finding.state).toBe("warn");
      expect(finding.found).toContain("the screen is sent as text");
      expect(finding.action).toContain("npm install --include=optional");
    },
  );

  it("that ends Node is not loaded by us, and the same is to be done", () => {
    expect(check({ kind: "died", how: "SIGSEGV" })).toMatchObject({
      state: "fail",
      found: "crashes Node (SIGSEGV) when it is loaded",
      action: "Run `npm rebuild better-sqlite3` in /opt/atlasbridge.",
    });
  });

  it("that is not there is to be installed", () => {
    expect(check({ kind: "absent" }).action).toContain("npm install");
  });
});
