/** A proxy in a tool's own settings is found in any of its files, and is assumed where a file cannot be read. */
import { makeTestFolder } from "../../../../support/temporary-folder.js";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { hasProxyInFiles } from "../../../../../src/worker/integrations/hooks/tool-proxy.js";

let folder = "";
beforeEach(() => void (folder = makeTestFolder("proxy")));

const PROXY = JSON.stringify({ env: { HTTP_PROXY: "http://proxy:3128" } });

function write(name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const FILES = ["~/.tool/settings.json", "$TOOL_HOME/settings.json", ".tool/settings.json"];
const named = (files: readonly string[] = FILES): boolean =>
  hasProxyInFiles(files, {
    cwd: join(folder, "code/project"),
    environment: { HOME: join(folder, "home"), TOOL_HOME: join(folder, "other"), EMPTY: "" },
  });

describe("a proxy in a tool's own settings", () => {
  it("is none where there are no settings", () => {
    expect(named()).toBe(false);
    expect(named(["$EMPTY/settings.json", "$ABSENT/settings.json", join(folder, "absent/")])).toBe(false);
  });

  it.each([
    ["the user's", "home/.tool/settings.json"],
    ["the user's in a folder of their own", "other/settings.json"],
    ["the project's", "code/project/.tool/settings.json"],
    ["the project's, in a folder above", "code/.tool/settings.json"],
  ])("is seen in %s", (_, name) => {
    write(name, PROXY);
    expect(named()).toBe(true);
  });

  it("is seen in any file of a folder", () => {
    write("managed/10-first.json", "{}");
    expect(named([join(folder, "managed/")])).toBe(false);
    write("managed/20-second.json", PROXY);
    expect(named([join(folder, "managed/")])).toBe(true);
  });

  it.each(["HTTP_PROXY", "https_proxy", "ALL_PROXY", "NO_PROXY", "TOOL_PROXY_URL"])("may be %s", (name) => {
    write("home/.tool/settings.json", JSON.stringify({ env: { A: "b", [name]: "" } }));
    expect(named()).toBe(true);
  });

  it.each(["{ no", "null", "[", '{"env":null}', '{"env":"HTTP_PROXY=x"}', '{"env":[]} // comment'])(
    "may be in settings that cannot be read: %s",
    (text) => {
      write("home/.tool/settings.json", text);
      expect(named()).toBe(true);
    },
  );

  it("may be where a file should be and is none", () => {
    write("home/.tool/settings.json/inside", "");
    expect(named()).toBe(true);
  });

  it.each(["{}", '{"env":{}}', '{"env":{"EDITOR":"vi"},"proxy":"of something else"}'])(
    "is none in %s",
    (text) => {
      write("home/.tool/settings.json", text);
      expect(named()).toBe(false);
    },
  );
});
