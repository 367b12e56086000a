/** The parts of codex's own schema of its app server that we hear and say: what is kept of them, and how it is made. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Schema = { readonly [key: string]: unknown } | boolean;

export interface Excerpt {
  /** What it is made of. */
  readonly of: string;
  readonly licence: string;
  readonly changes: string;
  readonly again: string;
  readonly definitions: Readonly<Record<string, Schema>>;
}

export const EXCERPT_FILE = join(import.meta.dirname, "../../fixtures/schemas/codex-app-server/schema.json");

/** Of its methods, those that we call, and what answers them. */
const CALLED: Readonly<Record<string, string>> = {
  initialize: "v1/InitializeResponse",
  "thread/start": "v2/ThreadStartResponse",
  "thread/resume": "v2/ThreadResumeResponse",
  "thread/unsubscribe": "v2/ThreadUnsubscribeResponse",
  "thread/read": "v2/ThreadReadResponse",
  "thread/loaded/list": "v2/ThreadLoadedListResponse",
  "turn/start": "v2/TurnStartResponse",
  "turn/steer": "v2/TurnSteerResponse",
  "turn/interrupt": "v2/TurnInterruptResponse",
};

/** What answers those of its requests that people are asked. */
const ANSWERS = [
  "CommandExecutionRequestApprovalResponse",
  "FileChangeRequestApprovalResponse",
  "PermissionsRequestApprovalResponse",
  "ToolRequestUserInputResponse",
  "McpServerElicitationRequestResponse",
];

/** All that it asks and tells. */
const HEARD = ["ServerRequest", "ServerNotification", "ClientNotification", "JSONRPCError"];

/** What codex writes, this version of it. `file`: its program. Takes a second. */
export function excerptOf(file: string, version: string, env: NodeJS.ProcessEnv): Excerpt {
  const folder = mkdtempSync(join(tmpdir(), "codex-schema-"));
  try {
    const args = ["app-server", "generate-json-schema", "--experimental", "--out", folder];
    execFileSync(file, args, { env, stdio: ["ignore", "ignore", "pipe"] });
    return excerptIn(folder, version);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function excerptIn(folder: string, version: string): Excerpt {
  const definitions: Record<string, Schema> = {};
  const take = (path: string, change: (schema: Schema) => Schema = (schema) => schema): void => {
    const { definitions: own, ...root } = change(read(join(folder, `${path}.json`))) as {
      readonly definitions?: Record<string, Schema>;
    };
    Object.assign(definitions, own, { [path.replace(/^v\d\//, "")]: root });
  };
  for (const path of [...HEARD, ...ANSWERS, ...Object.values(CALLED)]) take(path);
  take("ClientRequest", onlyCalled);
  return {
    of: `@openai/codex ${version}, codex app-server generate-json-schema --experimental`,
    licence: "Apache-2.0, see LICENSE and NOTICE beside this file",
    changes: "only what AtlasBridge hears and says, in one piece; descriptions and titles are left out",
    again: "npx tsx tests/support/app-server-schema/main.ts",
    definitions: Object.fromEntries(
      Object.entries(reached(definitions)).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}

/** One definition a line: what changes from one version to the next can be read. */
export function excerptText({ definitions, ...about }: Excerpt): string {
  const lines = Object.entries(definitions).map(
    ([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)}`,
  );
  const head = Object.entries(about).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  return ["{", ...head, '  "definitions": {', lines.join(",\n"), "  }", "}", ""].join("\n");
}

export function keptExcerpt(): Excerpt {
  return JSON.parse(readFileSync(EXCERPT_FILE, "utf8")) as Excerpt;
}

function read(file: string): Schema {
  return withoutWords(JSON.parse(readFileSync(file, "utf8"))) as Schema;
}

/** A schema without what is only for people. A property may be called `title`, too. */
export function withoutWords(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutWords(each));
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(
    ([key]) => isNames || !["description", "title", "$schema"].includes(key),
  );
  return Object.fromEntries(
    kept.map(([key, each]) => [
      key,
      withoutWords(each, !isNames && ["properties", "definitions", "$defs"].includes(key)),
    ]),
  );
}

function onlyCalled(schema: Schema): Schema {
  const { oneOf, ...rest } = schema as { readonly oneOf: readonly Variant[] };
  return { ...rest, oneOf: oneOf.filter(({ properties }) => (properties.method.enum[0] ?? "") in CALLED) };
}

export interface Variant {
  readonly properties: { readonly method: { readonly enum: readonly string[] }; readonly params?: Schema };
}

/** What nothing that is kept refers to is left out. */
function reached(definitions: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const roots = [...HEARD, ...ANSWERS, "ClientRequest", ...Object.values(CALLED)];
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const [, next = ""] of JSON.stringify(definitions[name]).matchAll(/"#\/definitions\/([^"]+)"/g))
      visit(next);
  };
  for (const path of roots) visit(path.replace(/^v\d\//, ""));
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => found.has(name)));
}
