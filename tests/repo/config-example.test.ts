/** config.example.yaml is accepted by the schema, and holds exactly its keys with the defaults. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isMap, parseDocument, type YAMLMap } from "yaml";
import { buildConfigSchema, type Config } from "../../src/config/schema.js";
import { loadConfig } from "../../src/config/load.js";
import { channelSchemas } from "../../src/plugins/channels/channel-schemas.js";
import { makeTestFolder } from "../support/temporary-folder.js";

interface Shape {
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly wrapped?: unknown;
  readonly item?: unknown;
}

/** Every key path of a schema; list items count as the list itself. */
function listKeys(schema: unknown, path = ""): string[] {
  const shape = schema as Shape;
  if (shape.wrapped) return listKeys(shape.wrapped, path);
  if (shape.item) return listKeys(shape.item, path);
  return Object.entries(shape.entries ?? {}).flatMap(([key, value]) => {
    const at = path ? `${path}.${key}` : key;
    return [at, ...listKeys(value, at)];
  });
}

function keysIn(map: YAMLMap, path = ""): string[] {
  return map.items.flatMap((pair) => {
    const at = path ? `${path}.${String(pair.key)}` : String(pair.key);
    const inner = isMap(pair.value)
      ? [pair.value]
      : ((pair.value as { items?: unknown[] } | null)?.items ?? []).filter(isMap);
    return [at, ...inner.flatMap((item) => keysIn(item, at))];
  });
}

describe("config.example.yaml", () => {
  const text = readFileSync("config.example.yaml", "utf8");
  const env = { TELEGRAM_BOT_TOKEN: "123456:example", SLACK_APP_TOKEN: "xapp-1", SLACK_BOT_TOKEN: "xoxb-1" };
  const load = (file: string): Config =>
    loadConfig({ file, channels: channelSchemas, env, secrets: "resolve" });

  it("is accepted by the schema", () => {
    expect(load("config.example.yaml").people[0]?.name).toBe("Ara");
  });

  it("holds every key that the schema knows, and no other", () => {
    const root = parseDocument(text).contents;
    expect([...new Set(keysIn(root as YAMLMap))].sort()).toEqual(
      listKeys(buildConfigSchema(channelSchemas)).sort(),
    );
  });

  it("shows the defaults of the prompts section", () => {
    expect(load("config.example.yaml").prompts).toEqual(load("no-such-file.yaml").prompts);
  });

  it("comes out frozen", () => {
    expect(Object.isFrozen(load("config.example.yaml").prompts.remind_after)).toBe(true);
  });
});

describe("docs/how-to/choose-what-rings.md", () => {
  const page = readFileSync("docs/how-to/choose-what-rings.md", "utf8");
  const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block);
  const inLines = [...page.matchAll(/`(\w+: [{[].*?[}\]])`/g)].map(([, line = ""]) => line);

  it.each([...blocks, ...inLines])("shows settings that are accepted: %s", (settings) => {
    const file = join(makeTestFolder("settings"), "config.yaml");
    writeFileSync(file, settings);
    expect(() => loadConfig({ file, channels: channelSchemas, env: {}, secrets: "resolve" })).not.toThrow();
  });

  it("shows some", () => {
    expect([blocks.length, inLines.length]).toEqual([2, 3]);
  });
});
