/** A checked configuration is stored for the next run, and used by it only while nothing it depends on has changed. */
import { makeTestFolder } from "../../../support/temporary-folder.js";
import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readRunConfig } from "../../../../src/config/stored/config-text.js";
import {
  readStoredConfig,
  storeConfig,
  STORED_CHARACTERS_MAX,
} from "../../../../src/config/stored/stored-config.js";
import { checkConfig } from "../../../../src/plugins/channels/check-config.js";

const EXAMPLE = readFileSync("config.example.yaml", "utf8");
const BUILD = "0123456789abcdef0123456789abcdef";

let folder: string;
let file: string;
beforeEach(() => {
  folder = makeTestFolder("stored");
  file = join(folder, "config.checked.json");
});

function store(text = EXAMPLE): void {
  storeConfig(file, { text, build: BUILD }, checkConfig(text, "config.yaml"));
}

function read(text = EXAMPLE) {
  return readStoredConfig(file, { text, build: BUILD });
}

describe("a stored configuration", () => {
  it.each(["", EXAMPLE, uncomment(EXAMPLE)])("comes back as it was checked, frozen (%#)", (text) => {
    store(text);
    expect(read(text)).toStrictEqual(checkConfig(text, "config.yaml"));
    expect(Object.isFrozen(read(text)?.prompts)).toBe(true);
  });

  it("can be read and written by its owner alone", () => {
    store();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("is not used for another text, by another build, or in another home", () => {
    store();
    expect(read(`${EXAMPLE}\n`)).toBeNull();
    expect(readStoredConfig(file, { text: EXAMPLE, build: "another" })).toBeNull();
    expect(readStoredConfig(file, { text: EXAMPLE, build: BUILD, home: "/elsewhere" })).toBeNull();
    expect(read()).not.toBeNull();
  });

  it("is neither stored nor used from source, where every edit is another build", () => {
    storeConfig(file, { text: EXAMPLE }, checkConfig(EXAMPLE, "config.yaml"));
    expect(readStoredConfig(file, { text: EXAMPLE })).toBeNull();
    expect(() => statSync(file)).toThrow();
  });

  it("is not used when others may read or write its file", () => {
    store();
    for (const mode of [0o640, 0o604, 0o620, 0o602]) {
      chmodSync(file, mode);
      expect(read()).toBeNull();
    }
  });

  it("is not used behind a symbolic link", () => {
    store();
    const link = join(folder, "link");
    symlinkSync(file, link);
    expect(readStoredConfig(link, { text: EXAMPLE, build: BUILD })).toBeNull();
  });

  it("is not used when any byte of it was damaged or lost", () => {
    store();
    const whole = readFileSync(file);
    for (let at = 0; at < whole.length; at += 7) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8((damaged.readUInt8(at) + 1) & 0x7f, at);
      for (const bytes of [damaged, whole.subarray(0, at)]) {
        writeFileSync(file, bytes);
        expect(read()).toBeNull();
      }
    }
  });

  it.each([
    ["telegram", "channels:\n  telegram:\n    token: 123456:AAAA-secret\n"],
    ["slack", "channels:\n  slack:\n    app_token: xapp-secret\n    bot_token: ${BOT}\n"],
  ])("is not written where a secret of %s is written out", (_, text) => {
    store(text);
    expect(() => statSync(file)).toThrow();
  });

  it("holds nothing of the text itself, whose comments may hold what was removed", () => {
    store(`# token: 123456:AAAA-old\n${EXAMPLE}`);
    expect(readFileSync(file, "utf8")).not.toContain("AAAA-old");
  });

  it("is not stored where the text is larger than a person writes", () => {
    const text = `# ${"x".repeat(STORED_CHARACTERS_MAX)}`;
    store(text);
    expect(() => statSync(file)).toThrow();
  });

  it("that cannot be stored prevents nothing", () => {
    const nowhere = join(folder, "none", "config.checked.json");
    expect(() =>
      storeConfig(nowhere, { text: "", build: BUILD }, checkConfig("", "config.yaml")),
    ).not.toThrow();
  });
});

describe("the configuration of a run", () => {
  it("is the defaults beside the problem when the file is broken, and is not stored", async () => {
    const config = join(folder, "config.yaml");
    writeFileSync(config, "prompts: 3\n");
    const read = await readRunConfig({ config, checkedConfig: file }, (text) =>
      Promise.resolve().then(() => checkConfig(text, config)),
    );
    expect(read.problem).toContain(`${config}:1:10`);
    expect(read.config).toEqual(checkConfig("", config));
    read.store();
    expect(() => statSync(file)).toThrow();
  });
});

/** The example with what it shows in comments. */
function uncomment(text: string): string {
  return text.replaceAll(/^# {0,1}(?=channels:|people:)/gm, "");
}
