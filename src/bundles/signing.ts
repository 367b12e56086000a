/** Ed25519 keys and signatures of adapter bundles. */
import * as v from "valibot";
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../config/load.js";
import type { TrustedKeyEntry } from "../config/schema.js";
import { parseYaml } from "../config/yaml-file.js";
import { AtlasBridgeError } from "../model/errors.js";
import { findPackageRoot } from "../observe/package-root.js";
import { channelSchemas } from "../plugins/channels/channel-schemas.js";

const PREFIX = "ed25519:";
const PUBLIC_KEY_BYTES = 32;
/** The prefix of a key in its standard form (SubjectPublicKeyInfo, RFC 8410). */
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");
/** The prefix of signed texts: a signature for another purpose never counts here. */
const DOMAIN = "atlasbridge adapter bundle 1\n";
/** Short enough to compare by eye. */
const ID_CHARACTERS = 16;

export interface TrustedKey {
  readonly name: string;
  readonly id: string;
  readonly key: KeyObject;
}

export interface Signature {
  readonly key: string;
  /** Base64. */
  readonly signature: string;
}

export interface SigningKey {
  readonly id: string;
  readonly publicText: string;
  readonly privateKey: KeyObject;
}

export function parsePublicKey(name: string, text: string): TrustedKey | null {
  if (!text.startsWith(PREFIX)) return null;
  const raw = Buffer.from(text.slice(PREFIX.length), "base64");
  if (raw.length !== PUBLIC_KEY_BYTES) return null;
  const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: "der", type: "spki" });
  return { name, id: identifyKey(raw), key };
}

export function parsePrivateKey(pem: string): SigningKey | null {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === "ed25519" ? describeKey(key) : null;
  } catch {
    return null;
  }
}

export function generateSigningKey(): SigningKey & { readonly pem: string } {
  const { privateKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  return { ...describeKey(privateKey), pem };
}

function describeKey(privateKey: KeyObject): SigningKey {
  const der = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  const raw = der.subarray(SPKI_HEAD.length);
  return { id: identifyKey(raw), publicText: PREFIX + raw.toString("base64"), privateKey };
}

function identifyKey(raw: Buffer): string {
  return createHash("sha256").update(raw).digest("hex").slice(0, ID_CHARACTERS);
}

export function signPayload(payload: string, { id, privateKey }: SigningKey): Signature {
  return { key: id, signature: sign(null, Buffer.from(DOMAIN + payload), privateKey).toString("base64") };
}

export function isSignedBy(payload: string, { signature }: Signature, { key }: TrustedKey): boolean {
  return verify(null, Buffer.from(DOMAIN + payload), key, Buffer.from(signature, "base64"));
}

const keyFile = v.strictObject({
  /** JSON has no comments. */
  about: v.optional(v.string()),
  keys: v.array(v.strictObject({ name: v.string(), key: v.string() })),
  revoked: v.array(v.string()),
});

export function getShippedKeyFile(): string {
  return join(findPackageRoot(), "adapters", "keys", "trusted.json");
}

export interface KeyPlaces {
  readonly shipped: string;
  readonly config: string;
}

/** A revoked key counts nowhere. Errors: ATB_CONFIG_INVALID, ATB_FILE_DENIED. */
export function loadTrustedKeys({ shipped, config: file }: KeyPlaces): readonly TrustedKey[] {
  const { keys, revoked } = parseYaml(readFileSync(shipped, "utf8"), shipped, keyFile, "ATB_CONFIG_INVALID");
  const config = loadConfig({ file, channels: channelSchemas, env: process.env, secrets: "leave" });
  const all = [...readKeys(keys, shipped), ...readKeys(config.adapters.trusted_keys, file)];
  return all.filter(({ id }) => !revoked.includes(id));
}

function readKeys(entries: readonly TrustedKeyEntry[], file: string): readonly TrustedKey[] {
  return entries.map(({ name, key: text }) => {
    const key = parsePublicKey(name, text);
    if (key !== null) return key;
    throw new AtlasBridgeError("ATB_CONFIG_INVALID", `${file}: the key of ${name} is no Ed25519 public key`, {
      hint: "Write it as `atlasbridge adapter keygen` prints it: ed25519:…",
    });
  });
}
