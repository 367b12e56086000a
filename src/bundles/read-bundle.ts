/** Reads the text of a bundle from a file or an address: bounded, and over HTTPS only. */
import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { AtlasBridgeError, createUsageError } from "../model/errors.js";
import { systemClock } from "../observe/clock.js";
import { HttpClient, type HttpReply } from "../sdk/http.js";
import { describeConnectionFailure } from "../sdk/service/connection-failure.js";
import { BUNDLE_BYTES_MAX, openBundle } from "./bundle-file.js";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Paths } from "../config/paths.js";
import {
  fitsProgram,
  getBundleAdapters,
  readInstalledState,
  type InstalledBundle,
} from "../plugins/adapters/installed-bundles.js";
import { readDocument } from "./bundle-store.js";
import { type TrustedKey, getShippedKeyFile, loadTrustedKeys } from "./signing.js";

/** 64 MB in that time are 4 Mbit/s. */
const DOWNLOAD_MS_MAX = 120_000;
const TOTAL_MS_MAX = 150_000;
/** HTTP is safe on this machine. */
const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Errors: ATB_USAGE, ATB_BUNDLE_INVALID, ATB_BUNDLE_UNREACHABLE. */
export async function readBundleText(from: string): Promise<string> {
  const bytes = ADDRESS.test(from) ? await download(parseAddress(from)) : readFile(from);
  if (isUtf8(bytes)) return bytes.toString();
  throw new AtlasBridgeError("ATB_BUNDLE_INVALID", `${from}: is not UTF-8 text`, {
    hint: "Is it a bundle? It is one JSON document.",
  });
}

function readFile(file: string): Buffer {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile())
    throw createUsageError(
      `${file} ${stats ? "is not a regular file" : "does not exist"}`,
      "Give the bundle's file or address: --from FILE|URL",
    );
  if (stats.size > BUNDLE_BYTES_MAX)
    throw new AtlasBridgeError(
      "ATB_BUNDLE_INVALID",
      `${file}: has ${stats.size} bytes; a bundle has at most ${BUNDLE_BYTES_MAX}`,
      { hint: "Is it the right file?" },
    );
  try {
    return readFileSync(file);
  } catch (cause) {
    throw createUsageError(`${file} cannot be read`, "Check its owner and mode.", cause);
  }
}

function parseAddress(from: string): URL {
  const url = URL.canParse(from) ? new URL(from) : null;
  if (url === null)
    throw createUsageError("that is not a valid address", "Give one such as https://host/path");
  if (url.username !== "" || url.password !== "")
    throw createUsageError(
      `the address of ${url.host} contains a name or a password`,
      "Download the bundle yourself, and give its file.",
    );
  if (url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.includes(url.hostname))) return url;
  throw createUsageError(
    `${url.protocol}//${url.host} is not used for a bundle`,
    "Give an https address, or download the bundle and give its file.",
  );
}

async function download(url: URL): Promise<Buffer> {
  const place = `${url.origin}${url.pathname}`;
  const stop = AbortSignal.timeout(TOTAL_MS_MAX);
  const call = { url, headers: { accept: "application/json" }, bodyBytesMax: BUNDLE_BYTES_MAX, stop };
  let reply: HttpReply;
  try {
    reply = await new HttpClient(systemClock).get({ ...call, answerMsMax: DOWNLOAD_MS_MAX });
  } catch (cause) {
    throw createUnreachableError(place, describeConnectionFailure(cause).reason, cause);
  }
  if (reply.status === 200) return reply.body;
  throw createUnreachableError(place, `the server answered ${reply.status}`);
}

function createUnreachableError(place: string, problem: string, cause?: unknown): AtlasBridgeError {
  return new AtlasBridgeError("ATB_BUNDLE_UNREACHABLE", `${place}: ${problem}`, {
    hint: "Nothing was installed. You may download the bundle yourself (curl -L) and give its file.",
    cause,
  });
}

export interface InspectedBundle {
  readonly name: string;
  readonly version: number;
  readonly signer: string;
  readonly adapters: readonly string[];
  /** False: its adapters do not count in this version of the program. */
  readonly isUsable: boolean;
  readonly problem: string | null;
}

/** Errors: ATB_BUNDLE_INVALID, ATB_CONFIG_INVALID, ATB_FILE_DENIED. */
export function inspectBundles(
  { bundlesDir, config }: Pick<Paths, "bundlesDir" | "config">,
  shipped = getShippedKeyFile(),
): readonly InspectedBundle[] {
  const { bundles } = readInstalledState(bundlesDir);
  if (bundles.length === 0) return [];
  const trusted = loadTrustedKeys({ shipped, config });
  return bundles.map((bundle) => ({
    name: bundle.name,
    version: bundle.active.version,
    signer: bundle.active.key.name,
    adapters: bundle.active.adapters.map(({ name }) => name),
    isUsable: fitsProgram(bundle.active),
    problem: findProblem(bundle, bundlesDir, trusted),
  }));
}

/** Why the version on disk is not what was signed by a trusted key; null if it is. */
export function findProblem(
  { name, active }: Pick<InstalledBundle, "name" | "active">,
  bundlesDir: string,
  trusted: readonly TrustedKey[],
): string | null {
  try {
    const document = readDocument(bundlesDir, active);
    if (createHash("sha256").update(document).digest("hex") !== active.sha256)
      return "its document is not the one that was installed";
    const folder = getBundleAdapters(bundlesDir, active);
    const changed = openBundle(document, `bundle ${name}`, trusted).contents.adapters.find(
      (adapter) => readFileSync(join(folder, `${adapter.name}.yaml`), "utf8") !== adapter.text,
    );
    return changed ? `its file of ${changed.name} was changed after it was installed` : null;
  } catch (error) {
    if (error instanceof AtlasBridgeError) return error.message;
    return "a file of it is missing or cannot be read";
  }
}
