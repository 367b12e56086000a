/** `adapter keygen` and `adapter bundle`. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { AdapterCheck } from "../../prompt-lab/check/check-adapter.js";
import { listScenarioFiles } from "../../prompt-lab/scenario/find-scenarios.js";
import { readText } from "../../prompt-lab/scenario/read-text.js";
import { parseRecording } from "../../prompt-lab/scenario/recording.js";
import { PRIVATE_FILE_MODE } from "../config/private-files.js";
import { resolvePaths } from "../config/paths.js";
import { createUsageError } from "../model/errors.js";
import { getProgramVersion } from "../observe/package-root.js";
import { readAdapterFile, requireAdapterFile, type AdapterPlace } from "../plugins/adapters/adapters.js";
import { BUNDLE_BYTES_MAX, formatBundle, parseContents } from "./bundle-file.js";
import { checkBundle } from "./check-bundle.js";
import { generateSigningKey, parsePrivateKey, signPayload, type SigningKey } from "./signing.js";

export interface MadeKey {
  readonly file: string;
  readonly id: string;
  /** For `adapters.trusted_keys`. */
  readonly publicKey: string;
}

/** Errors: ATB_USAGE if the file exists or cannot be written. */
export function makeKey(file: string): MadeKey {
  const { pem, id, publicText } = generateSigningKey();
  write(file, pem, PRIVATE_FILE_MODE);
  return { file, id, publicKey: publicText };
}

export interface BundleOptions {
  readonly name: string;
  readonly version: number;
  readonly description: string;
  /** Names or files. */
  readonly adapters: readonly string[];
  /** Files and folders; scenarios of other adapters are left out. */
  readonly scenarios: readonly string[];
  /** Files with private keys. */
  readonly keys: readonly string[];
  /** Versions of the program; null: from this one to the next minor version. */
  readonly from: string | null;
  readonly before: string | null;
  readonly out: string;
}

export interface MadeBundle {
  readonly file: string;
  readonly bytes: number;
  readonly signers: readonly string[];
  readonly checks: readonly AdapterCheck[];
}

/** Checks the bundle like an installation. Errors: ATB_USAGE, ATB_ADAPTER_UNKNOWN, ATB_SCENARIO_INVALID, ATB_BUNDLE_INVALID. */
export async function makeBundle(
  options: BundleOptions,
  place: AdapterPlace = resolvePaths(),
): Promise<MadeBundle> {
  const keys = options.keys.map(readKey);
  const files = options.adapters.map((each) =>
    each.endsWith(".yaml") ? each : requireAdapterFile(each, place),
  );
  const adapters = files.map((file) => ({ name: basename(file, ".yaml"), text: readAdapterFile(file) }));
  const names = new Set(adapters.map(({ name }) => name));
  const { name, version, description } = options;
  const own = getProgramVersion();
  const program = { from: options.from ?? own, before: options.before ?? incrementMinor(own) };
  const scenarios = options.scenarios
    .flatMap(listScenarioFiles)
    .flatMap((file) => inlineScenario(file, names));
  const payload = JSON.stringify({ name, version, description, program, adapters, scenarios });
  const { checks } = await checkBundle(parseContents(payload, options.out), options.out);
  const text = formatBundle(
    payload,
    keys.map((key) => signPayload(payload, key)),
  );
  if (Buffer.byteLength(text) > BUNDLE_BYTES_MAX)
    throw createUsageError(
      `${options.out} would have more than ${BUNDLE_BYTES_MAX} bytes`,
      "Put fewer scenarios into it.",
    );
  write(options.out, text);
  return { file: options.out, bytes: Buffer.byteLength(text), signers: keys.map(({ id }) => id), checks };
}

function incrementMinor(version: string): string {
  const [major = "0", minor = "0"] = version.split(".");
  return `${major}.${Number(minor) + 1}.0`;
}

function readKey(file: string): SigningKey {
  const pem = existsSync(file) ? readFileSync(file, "utf8") : "";
  const key = parsePrivateKey(pem);
  if (key !== null) return key;
  throw createUsageError(
    `${file} is no private Ed25519 key`,
    "Make one: atlasbridge adapter keygen --out FILE",
  );
}

/** The scenario with its recording inside; nothing for another tool. */
function inlineScenario(file: string, tools: ReadonlySet<string>): readonly string[] {
  const value = JSON.parse(readText(file)) as Record<string, unknown>;
  if (typeof value.tool !== "string" || !tools.has(value.tool)) return [];
  const { recording_file: recording, ...fields } = value;
  if (typeof recording !== "string") return [JSON.stringify(value)];
  const path = resolve(dirname(file), recording);
  return [JSON.stringify({ ...fields, recording: parseRecording(readText(path, file), path) })];
}

function write(file: string, text: string, mode = 0o644): void {
  try {
    writeFileSync(file, text, { flag: "wx", mode });
  } catch (cause) {
    const hint = existsSync(file)
      ? "The file exists already; it was not changed."
      : "Check that you may write there.";
    throw createUsageError(`${file} cannot be written`, hint, cause);
  }
}
