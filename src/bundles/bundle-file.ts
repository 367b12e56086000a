/**
 * The file format of a bundle: one JSON document. Its payload is JSON in a string, so that exactly the signed characters are read (ADR
 * 37).
 */
import * as v from "valibot";
import { checkValue } from "../config/yaml-file.js";
import { AtlasBridgeError } from "../model/errors.js";
import { isSignedBy, type Signature, type TrustedKey } from "./signing.js";

/** All adapters of the package with their scenarios are some 50 MB. */
export const BUNDLE_BYTES_MAX = 64 * 1024 * 1024;
const ADAPTERS_MAX = 100;
const SCENARIOS_MAX = 5000;
/** During a change of keys a bundle has two signatures. */
const SIGNATURES_MAX = 8;
const VERSION_MAX = 1_000_000_000;
const DESCRIPTION_CHARACTERS_MAX = 200;

const bundleName = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_-]{0,39}$/, "expected a name such as acme"));
const programVersion = v.pipe(
  v.string(),
  v.regex(/^\d{1,9}\.\d{1,9}\.\d{1,9}$/, "expected a version such as 0.2.0"),
);

const envelope = v.strictObject({
  atlasbridge_adapter_bundle: v.literal(1),
  payload: v.string(),
  signatures: v.pipe(
    v.array(v.strictObject({ key: v.string(), signature: v.string() })),
    v.minLength(1, "expected a signature"),
    v.maxLength(SIGNATURES_MAX),
  ),
});

const contents = v.strictObject({
  name: bundleName,
  /** Rises with each release of the bundle. */
  version: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(VERSION_MAX)),
  description: v.pipe(v.string(), v.maxLength(DESCRIPTION_CHARACTERS_MAX)),
  program: v.strictObject({ from: programVersion, before: programVersion }),
  adapters: v.pipe(
    v.array(v.strictObject({ name: bundleName, text: v.string() })),
    v.minLength(1, "expected an adapter"),
    v.maxLength(ADAPTERS_MAX),
    v.check<{ name: string; text: string }[], string>(hasUniqueNames, "expected each adapter once"),
  ),
  scenarios: v.pipe(v.array(v.string()), v.maxLength(SCENARIOS_MAX)),
});

export type BundleContents = Readonly<v.InferOutput<typeof contents>>;

export interface OpenedBundle {
  readonly contents: BundleContents;
  readonly signer: TrustedKey;
}

function hasUniqueNames(entries: { name: string }[]): boolean {
  return new Set(entries.map(({ name }) => name)).size === entries.length;
}

export function formatBundle(payload: string, signatures: readonly Signature[]): string {
  return `${JSON.stringify({ atlasbridge_adapter_bundle: 1, payload, signatures }, null, 1)}\n`;
}

/** Errors: ATB_BUNDLE_INVALID. */
export function parseContents(payload: string, source: string): BundleContents {
  return parse(payload, `${source}: its payload`, contents);
}

/** Checks the signature before it reads anything else. `source`: for messages. Errors: ATB_BUNDLE_INVALID, ATB_BUNDLE_UNTRUSTED. */
export function openBundle(text: string, source: string, trusted: readonly TrustedKey[]): OpenedBundle {
  const { payload, signatures } = parse(text, source, envelope);
  const signer = findSigner(payload, signatures, trusted, source);
  return { contents: parseContents(payload, source), signer };
}

function findSigner(
  payload: string,
  signatures: readonly Signature[],
  trusted: readonly TrustedKey[],
  source: string,
): TrustedKey {
  const known = signatures.flatMap((signature) =>
    trusted.filter(({ id }) => id === signature.key).map((key) => ({ signature, key })),
  );
  if (known.length === 0) throw createUnknownKeyError(signatures, trusted, source);
  const bad = known.find(({ signature, key }) => !isSignedBy(payload, signature, key));
  const [first] = known;
  if (!bad && first) return first.key;
  throw new AtlasBridgeError(
    "ATB_BUNDLE_UNTRUSTED",
    `${source}: the signature of ${bad?.key.name ?? "its maker"} does not fit: it was changed after it was signed`,
    { hint: "Nothing was installed. Get the bundle again from whoever made it." },
  );
}

/** An id is only shown if it looks like one: the file is not trusted. */
const KEY_ID = /^[0-9a-f]{16}$/;

function createUnknownKeyError(
  signatures: readonly Signature[],
  trusted: readonly TrustedKey[],
  source: string,
): AtlasBridgeError {
  const ids = signatures.map(({ key }) => (KEY_ID.test(key) ? key : "an invalid id")).join(", ");
  const known = trusted.map(({ name, id }) => `${name} (${id})`).join(", ");
  return new AtlasBridgeError(
    "ATB_BUNDLE_UNTRUSTED",
    `${source}: signed by ${ids}, which is not trusted here; trusted: ${known || "no key"}`,
    { hint: "If you know its maker, add the public key to adapters.trusted_keys of the configuration." },
  );
}

function parse<S extends v.GenericSchema>(text: string, place: string, schema: S): v.InferOutput<S> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw createInvalidError(place, "is not JSON");
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw createInvalidError(place, "is not a bundle of adapters");
  return checkValue(value, schema, { code: "ATB_BUNDLE_INVALID", hint: HINT, locate: () => place });
}

const HINT = "Nothing was installed. A bundle is made with `atlasbridge adapter bundle`.";

function createInvalidError(place: string, problem: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_BUNDLE_INVALID", `${place}: ${problem}`, {
    hint: HINT,
  });
}
