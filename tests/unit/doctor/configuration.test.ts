/** `doctor` warns of a configuration that is missing or has no channel, and fails one that is invalid or whose secret is missing. */
import { makeTestFolder } from "../../support/temporary-folder.js";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import * as v from "valibot";
import { checkConfiguration, readConfiguration } from "../../../src/doctor/configuration.js";

const channels = { example: v.strictObject({ token: v.string() }) };

describe("the configuration as doctor sees it", () => {
  let folder = "";
  let file = "";

  beforeEach(() => {
    folder = makeTestFolder("doctor-config");
    file = join(folder, "config.yaml");
  });

  const read = (text: string | null, env: Record<string, string> = {}) => {
    if (text !== null) writeFileSync(file, text);
    return readConfiguration({ file, channels, env });
  };
  const look = (...given: Parameters<typeof read>) => checkConfiguration(read(...given), ["example"]);

  it("that is not there is a warning, with the way to one", () => {
    expect(look(null)).toMatchObject([
      { name: "config", state: "warn", action: "Run `atlasbridge setup example`." },
    ]);
  });

  it("without a channel is a warning", () => {
    expect(look("people: []\n")).toMatchObject([{ name: "config", state: "warn" }]);
  });

  it("that does not fit fails, in the words that every command uses", () => {
    expect(look("poeple: []\n")).toMatchObject([
      {
        state: "fail",
        found: `${file}:1:1: unknown key "poeple"; did you mean "people"? (ATB_CONFIG_INVALID)`,
      },
    ]);
  });

  it("that is right for a hub but not for agents fails", () => {
    const text = 'channels:\n  example: { token: "t" }\nexec: { timeout: 300 }\n';
    expect(look(text)).toMatchObject([
      {
        state: "fail",
        found: expect.stringContaining('"exec.timeout": expected a time with its unit') as string,
      },
    ]);
    expect(read(text).config).not.toBeNull();
  });

  it("whose secret is missing fails, and its secret files are known all the same", () => {
    const reading = read("channels:\n  example: { token: file:no-such-token }\n");
    expect(reading.secretFiles).toEqual([join(folder, "no-such-token")]);
    expect(checkConfiguration(reading, ["example"])).toMatchObject([
      { state: "fail", found: expect.stringContaining("ATB_CONFIG_SECRET_MISSING") as string },
    ]);
  });

  it("whose variable only the running hub may have is a warning", () => {
    const reading = read('channels:\n  example: { token: "${TOKEN}" }\n');
    expect(checkConfiguration(reading, ["example"], true)).toMatchObject([
      { state: "warn", found: `${file}: this shell has no TOKEN; the running hub may have it` },
    ]);
    expect(checkConfiguration(reading, ["example"])).toMatchObject([
      { state: "fail", found: expect.stringContaining("ATB_CONFIG_SECRET_MISSING") as string },
    ]);
  });

  it("with a channel says who may answer", () => {
    const text = (role: string) =>
      `channels:\n  example: { token: "\${TOKEN}" }\npeople:\n  - { name: Ara, identities: ["example:1"], role: ${role} }\n`;
    expect(look(text("approver"), { TOKEN: "secret" })).toEqual([
      { name: "config", state: "ok", found: `${file}: valid; example`, action: null },
      { name: "people", state: "ok", found: "Ara may answer", action: null },
    ]);
    expect(look(text("viewer"), { TOKEN: "secret" })[1]).toMatchObject({ name: "people", state: "warn" });
  });
});
