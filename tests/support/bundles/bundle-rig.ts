/** A home whose configuration trusts a key, and bundles that this key signs: well-made ones, and ones that a test spoils. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatBundle } from "../../../src/bundles/bundle-file.js";
import { generateSigningKey, signPayload, type SigningKey } from "../../../src/bundles/signing.js";

const DIALOG = "rm -rf build\r\n\r\nProceed?\r\n❯ 1. Yes\r\n  2. No\r\n\u001b[2A\u001b[1G";

/** An adapter of one rule, whose question is `question`. `more`: further lines of its file. */
export function tinyAdapter(name: string, version: string, question = "Proceed", more = ""): string {
  return `schema: 1
name: ${name}
version: ${version}
description: Asks one list
family: agent
process: { executable: ${name} }
${more}
rules:
  - name: proceed
    shape: list
    class: permission
    confidence: HIGH
    question: '^${question}\\?$'
    list: { glyphs: ["❯"], live: [cursor] }
    choices:
      - { label: '^Yes$', intent: allow_once }
      - { label: '^No$', intent: reject_once }
`;
}

/** The two scenarios that an adapter needs: one that asks, and a silent one. */
export function tinyScenarios(tool: string): string[] {
  const asks = {
    tool,
    scenario_id: `${tool}_proceed`,
    pty_output: DIALOG,
    expected_type: "multiple_choice",
    expected_choices: ["Yes", "No"],
  };
  const silent = {
    tool,
    scenario_id: `${tool}_silent`,
    pty_output: "compiling\r\n",
    expected_type: null,
    expected_count: 0,
  };
  return [asks, silent].map((scenario) => JSON.stringify(scenario));
}

export class BundleRig {
  readonly folder = mkdtempSync(join(tmpdir(), "bundles-"));
  readonly key = generateSigningKey();
  readonly paths = {
    adaptersDir: join(this.folder, "adapters"),
    bundlesDir: join(this.folder, "bundles"),
    config: join(this.folder, "config.yaml"),
  };
  readonly shipped = join(this.folder, "shipped.yaml");

  constructor() {
    this.ship("keys: []\nrevoked: []\n");
    this.trust([{ name: "acme", key: this.key }]);
    mkdirSync(this.paths.adaptersDir);
  }

  trust(keys: readonly { readonly name: string; readonly key: SigningKey }[]): void {
    const entries = keys.map(({ name, key }) => ({ name, key: key.publicText }));
    writeFileSync(this.paths.config, JSON.stringify({ adapters: { trusted_keys: entries } }), {
      mode: 0o600,
    });
  }

  ship(text: string): void {
    writeFileSync(this.shipped, text);
  }

  /** A bundle's payload: version 1 of `acme` with the adapter `tiny`, unless a test says otherwise. */
  payload(fields: Readonly<Record<string, unknown>> = {}): string {
    return JSON.stringify({
      name: "acme",
      version: 1,
      description: "of a test",
      program: { from: "0.1.0", before: "99.0.0" },
      adapters: [{ name: "tiny", text: tinyAdapter("tiny", "1.0.0") }],
      scenarios: tinyScenarios("tiny"),
      ...fields,
    });
  }

  sign(payload: string, keys: readonly SigningKey[] = [this.key]): string {
    return formatBundle(
      payload,
      keys.map((key) => signPayload(payload, key)),
    );
  }

  write(text: string | Buffer, name = "bundle.json"): string {
    const file = join(this.folder, name);
    writeFileSync(file, text);
    return file;
  }

  bundle(fields: Readonly<Record<string, unknown>> = {}): string {
    return this.write(this.sign(this.payload(fields)));
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
