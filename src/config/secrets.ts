/** Secrets in the configuration are referenced, not written: `${ENV}` or `file:PATH` (relative to the configuration file). */
import { accessSync, constants, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AtlasBridgeError } from "../model/errors.js";

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const FILE = "file:";

export interface SecretSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file: string;
}

/** Replaces every reference in every string. Errors: ATB_CONFIG_SECRET_MISSING, naming the key path, never the value. */
export function resolveSecrets(value: unknown, source: SecretSource, path = ""): unknown {
  if (typeof value === "string") return resolveText(value, source, path);
  if (Array.isArray(value))
    return value.map((item, index) => resolveSecrets(item, source, `${path}[${index}]`));
  if (value && typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        resolveSecrets(item, source, path ? `${path}.${key}` : key),
      ]),
    );
  }
  return value;
}

export function listSecretFiles(value: unknown, configFile: string): string[] {
  if (typeof value === "string")
    return value.startsWith(FILE) ? [resolve(dirname(configFile), value.slice(FILE.length))] : [];
  if (!value || typeof value !== "object") return [];
  return Object.values(value).flatMap((item) => listSecretFiles(item, configFile));
}

export function listVariables(value: unknown): string[] {
  if (typeof value === "string")
    return value.startsWith("file:") ? [] : [...value.matchAll(REFERENCE)].map(([, name = ""]) => name);
  if (typeof value !== "object" || value === null) return [];
  return [...new Set(Object.values(value).flatMap(listVariables))];
}

/** The first missing secret, as a phrase that follows the file's name; null if none. Reads no secret. */
export function findMissingSecret(value: unknown, { env, file }: SecretSource): string | null {
  const name = listVariables(value).find((each) => !env[each]);
  if (name !== undefined) return `needs the variable ${name}, which is not set`;
  const unread = listSecretFiles(value, file).find((path) => !isReadable(path));
  return unread === undefined ? null : `needs ${unread}, which cannot be read`;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function resolveText(text: string, source: SecretSource, path: string): string {
  if (text.startsWith(FILE)) return readSecretFile(text.slice(FILE.length), source, path);
  return text.replace(REFERENCE, (_, name: string) => {
    const value = source.env[name];
    if (value) return value;
    throw new AtlasBridgeError(
      "ATB_CONFIG_SECRET_MISSING",
      `${source.file}: "${path}" needs the variable ${name}`,
      {
        hint: `Set ${name} in the environment, or write "file:PATH" there instead.`,
      },
    );
  });
}

function readSecretFile(name: string, source: SecretSource, path: string): string {
  const file = resolve(dirname(source.file), name);
  try {
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw new AtlasBridgeError("ATB_CONFIG_SECRET_MISSING", `${source.file}: "${path}" cannot read ${file}`, {
      hint: "Create the file (mode 0600) or correct the path.",
      cause,
    });
  }
}
