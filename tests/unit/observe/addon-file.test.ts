/** The binaries of native addons are found without Node's own resolution, and are the ones that it finds. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findAddonFile } from "../../../src/observe/addon-file.js";
import { notLinux, skipped } from "../../support/skipped.js";

const require = createRequire(import.meta.url);
const onLinux = it.skipIf(skipped(notLinux));

describe("the binary of an addon", () => {
  onLinux("is the one in the package that Node resolves", () => {
    const folder = dirname(require.resolve("node-pty/package.json"));
    expect(findAddonFile("node-pty", "build/Release/pty.node")).toBe(join(folder, "build/Release/pty.node"));
  });

  onLinux("is the one in the package beside it that Node resolves from there", () => {
    const name = `@koromix/koffi-linux-${process.arch}`;
    const path = `linux_${process.arch}/koffi.node`;
    const beside = createRequire(require.resolve("koffi")).resolve(name);
    expect(findAddonFile("koffi", path, name)).toBe(join(dirname(beside), path));
  });

  it("is null where there is no such package or no such file", () => {
    expect(findAddonFile("no-such-package", "x.node")).toBeNull();
    expect(findAddonFile("node-pty", "no-such-file.node")).toBeNull();
  });
});
