/**
 * The JSON Schemas of the package (`schemas/`), made from the schemas that the code itself checks files with. They say what an editor
 * can say while somebody writes: keys, kinds of values, words. What only code can check (patterns that stay linear, names that must
 * be there) is left out, so a JSON Schema never refuses what the code takes.
 */
import { toJsonSchema, type JsonSchema } from "@valibot/to-json-schema";
import { readFileSync } from "node:fs";
import type { GenericSchema } from "valibot";
import { KINDS } from "../../../prompt-lab/scenario/recording.js";
import { scenarioFile, SOURCES } from "../../../prompt-lab/scenario/scenario.js";
import { channelSchemas } from "../../../src/plugins/channels/channel-schemas.js";
import { buildConfigSchema } from "../../../src/config/schema.js";
import { policyFile } from "../../../src/hub/policy/file/policy-file.js";
import { agentFile } from "../../../src/worker/adapter-format/adapter-file.js";
import { line, ms, path, pattern } from "../../../src/worker/adapter-format/file-parts.js";
import { drawn } from "../../../src/worker/adapter-format/hooks-file.js";
import { keyName } from "../../../src/worker/adapter-format/key-names.js";
import { list } from "../../../src/worker/adapter-format/list-keys.js";
import { choice } from "../../../src/worker/adapter-format/rule-keys.js";
import { programFile } from "../../../src/worker/adapter-format/program/program-file.js";
import {
  expectation,
  keys,
  promptPattern,
  wait,
  word,
  words,
} from "../../../src/worker/adapter-format/program/program-parts.js";
import { commentsOfExample, commentsOfKeys } from "./descriptions.js";

/** Checks by code, and what is done to a text before it is checked: both only ever narrow what JSON Schema says without them. */
const CODE_ONLY = ["check", "raw_check", "trim", "to_lower_case"];

/** What stands in many places of an adapter file is said once. */
const SHARED = { choice, drawn, keyName, line, list, ms, path, pattern };

const PROGRAM_SHARED = { expectation, keys, promptPattern, wait, word, words };

/** By the files' names, as they are written. */
export function jsonSchemas(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries({
      adapter: { title: "AtlasBridge adapter file", ...adapterSchema() },
      program: { title: "AtlasBridge program file", ...programSchema() },
      config: { title: "AtlasBridge configuration", ...configurationSchema() },
      policy: { title: "AtlasBridge policy file", ...policySchema() },
      scenario: { title: "AtlasBridge scenario", ...scenarioSchema() },
    }).map(([name, schema]) => [`${name}.schema.json`, `${JSON.stringify(schema, null, 1)}\n`]),
  );
}

function adapterSchema(): JsonSchema {
  return describeKeys(agentFile, "src/worker/adapter-format", SHARED);
}

function policySchema(): JsonSchema {
  return describeKeys(policyFile, "src/hub/policy/file", {});
}

function describeKeys(
  schema: GenericSchema,
  folder: string,
  definitions: Readonly<Record<string, GenericSchema>>,
): JsonSchema {
  const comments = commentsOfKeys(folder);
  return convert(schema, {
    definitions,
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      if (valibotSchema.type !== "strict_object") return null;
      const { properties = {} } = jsonSchema;
      for (const [key, description] of comments(Object.keys(properties)))
        properties[key] = { description, ...(properties[key] as JsonSchema) };
      return jsonSchema;
    },
  });
}

/** What a reserved value means says the code: an editor only says that it is none of the known ones. */
function programSchema(): JsonSchema {
  return describeKeys(programFile, "src/worker/adapter-format/program", PROGRAM_SHARED);
}

function configurationSchema(): JsonSchema {
  const schema = convert(buildConfigSchema(channelSchemas), {});
  for (const [keys, description] of commentsOfExample(readFileSync("config.example.yaml", "utf8"))) {
    const found = keys.reduce<JsonSchema | undefined>(below, schema);
    if (found && description !== "") found.description = description;
  }
  return schema;
}

/** Valibot's check that exactly one of some keys is there has no counterpart in JSON Schema. */
function scenarioSchema(): JsonSchema {
  const schema = convert(scenarioFile, {});
  const event = schema.properties?.["recording"] as JsonSchema;
  Object.assign(event.items as JsonSchema, { oneOf: requireOne(KINDS) });
  return { ...schema, oneOf: requireOne(SOURCES) };
}

function requireOne(keys: readonly string[]): JsonSchema[] {
  return keys.map((key) => ({ required: [key] }));
}

function below(schema: JsonSchema | undefined, key: string): JsonSchema | undefined {
  const inner = (schema?.items ?? schema?.anyOf?.[0] ?? schema) as JsonSchema | undefined;
  return inner?.properties?.[key] as JsonSchema | undefined;
}

function convert(schema: GenericSchema, config: Parameters<typeof toJsonSchema>[1]): JsonSchema {
  return toJsonSchema(schema, { typeMode: "input", errorMode: "throw", ignoreActions: CODE_ONLY, ...config });
}
