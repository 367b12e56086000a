/** `docs/reference/policy.md`: every key of a policy file, from its schema and the comments beside it. */
import type { JsonSchema } from "@valibot/to-json-schema";
import { jsonSchemas } from "../schemas/json-schemas.js";
import { GENERATED, page, table } from "./markdown.js";
import { listRows } from "./schema-rows.js";

const HEAD = ["Key", "Type", "Default", "Meaning"];
const TEXTS = {
  "^(\\d{1,6})(ms|s|m|h|d)$": "time (`30m`)",
  "^(?:[01][0-9]|2[0-3]):[0-5][0-9]$": 'time of day (`"22:00"`)',
};

export function policyPage(): string {
  const schema = JSON.parse(jsonSchemas()["policy.schema.json"] ?? "") as JsonSchema;
  const rows = listRows(schema, { definitions: {}, linked: [], texts: TEXTS });
  const isNested = (key: string): boolean => /match\.(?:any_of|none_of)\[\]/.test(key);
  return page(
    "# Policy file",
    GENERATED,
    "`policy.yaml` beside `config.yaml` says which prompts rules answer: see [Let policy rules answer](../how-to/let-rules-answer.md). An unknown key is an\nerror, and a file with an error is not used. Where a list is taken, one value may stand alone. The entries of `any_of` and `none_of` have the\nkeys of `match`. `schemas/policy.schema.json` tells editors of the same keys.",
    table(
      HEAD,
      rows.filter(([key]) => !isNested(key)),
    ),
  );
}
