/** The parts of opencode's own document of its server (OpenAPI) that we say and hear: what is kept of them, and how it is made. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withoutWords, type Excerpt, type Schema } from "../app-server-schema/excerpt.js";

export interface SessionServerExcerpt extends Excerpt {
  /** What can be requested, by method and path (`GET /session/{sessionID}`). */
  readonly operations: Readonly<Record<string, Operation>>;
}

export interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  /** Absent: nothing is to be sent with it. */
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export const EXCERPT_FILE = join(import.meta.dirname, "../../fixtures/schemas/opencode-server/schema.json");

/** All that we request. */
const CALLED = [
  "GET /config",
  "GET /event",
  "GET /permission",
  "GET /question",
  "GET /session/{sessionID}",
  "POST /permission/{requestID}/reply",
  "POST /question/{requestID}/reject",
  "POST /question/{requestID}/reply",
  "POST /session",
  "POST /session/{sessionID}/abort",
  "POST /session/{sessionID}/prompt_async",
];

/** Of what its server answers to `GET /doc`. */
export function excerptFrom(document: unknown, version: string): SessionServerExcerpt {
  const { paths, components } = renamed(withoutWords(document)) as Document;
  const operations = Object.fromEntries(CALLED.map((called) => [called, operation(paths, called)]));
  return {
    of: `opencode-ai ${version}, opencode serve, GET /doc`,
    licence: "MIT, see LICENSE beside this file",
    changes:
      "only what AtlasBridge says and hears; #/components/schemas is #/definitions; descriptions and titles are left out",
    again: "npx tsx tests/support/session-server-schema/main.ts",
    operations,
    definitions: reached(components.schemas, operations),
  };
}

export function keptExcerpt(): SessionServerExcerpt {
  return JSON.parse(readFileSync(EXCERPT_FILE, "utf8")) as SessionServerExcerpt;
}

function operation(paths: Document["paths"], called: string): Operation {
  const [method = "", path = ""] = called.split(" ");
  const found = paths[path]?.[method.toLowerCase()];
  if (!found) throw new Error(`it has no ${called}`);
  const { parameters, requestBody, responses } = found;
  return { ...(parameters && { parameters }), ...(requestBody && { requestBody }), responses };
}

/** As schemas call it that are no part of such a document. */
function renamed(document: unknown): unknown {
  const text = JSON.stringify(document);
  return JSON.parse(text.replaceAll('"$ref":"#/components/schemas/', '"$ref":"#/definitions/'));
}

/** What nothing that is kept refers to is left out. */
function reached(schemas: Readonly<Record<string, Schema>>, operations: object): Record<string, Schema> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/definitions\/([^"]+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(schemas[name]);
    }
  };
  visit(operations);
  return Object.fromEntries([...found].toSorted().map((name) => [name, schemas[name] ?? {}]));
}
