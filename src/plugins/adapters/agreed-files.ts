/**
 * The user's own adapter files name commands that are started, so the user agrees to each one, and again after a change. Path and digest
 * are stored.
 */
import { createHash } from "node:crypto";
import { realpathSync, renameSync, writeFileSync } from "node:fs";
import { createFileError } from "../../config/file-errors.js";
import type { Paths } from "../../config/paths.js";
import { ensurePrivateDirectory, PRIVATE_FILE_MODE } from "../../config/private-files.js";
import { readPrivateText } from "../../config/stored/stored-config.js";
import { isObject } from "../../model/data/json.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { SESSION_MARK } from "../../model/session-mark.js";
import { readDescentMark } from "../../observe/process-facts.js";
import type { OwnFile } from "../../worker/adapter-format/compiled/compiled.js";

export type { OwnFile } from "../../worker/adapter-format/compiled/compiled.js";

export type AgreedPlace = Pick<Paths, "dataDir" | "agreedAdapters">;

/** `changed`: the user agreed to other content. */
export type Agreement = "agreed" | "changed" | "new";

/** Null: there is no terminal. */
export type AskToRun = (own: OwnFile, agreement: Agreement) => Promise<boolean | null>;

export function readAgreement({ file, text }: OwnFile, place: AgreedPlace): Agreement {
  const known = readAgreed(place)[realpathSync(file)];
  if (known === undefined) return "new";
  return known === computeDigest(text) ? "agreed" : "changed";
}

/** Errors: ATB_SUPERVISED below a supervised tool; ATB_FILE_DENIED, ATB_HUB_UNREACHABLE, ATB_SOCKET_UNSAFE. */
export function agreeTo({ file, text }: Pick<OwnFile, "file" | "text">, place: AgreedPlace): void {
  if (isBelowTool())
    throw new AtlasBridgeError("ATB_SUPERVISED", "adapter files cannot be agreed to from inside a session", {
      hint: OUTSIDE,
    });
  const agreed = { ...readAgreed(place), [realpathSync(file)]: computeDigest(text) };
  ensurePrivateDirectory(place.dataDir);
  const draft = `${place.agreedAdapters}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(agreed, null, 2)}\n`, { mode: PRIVATE_FILE_MODE });
    renameSync(draft, place.agreedAdapters);
  } catch (cause) {
    throw createFileError(cause, place.agreedAdapters, "cannot be written");
  }
}

/** Call before anything of the file is started. Errors: ATB_ADAPTER_UNTRUSTED, and as `agreeTo`. */
export async function requireAgreement(
  own: OwnFile | undefined,
  place: AgreedPlace,
  ask: AskToRun,
): Promise<void> {
  const agreement = own ? readAgreement(own, place) : "agreed";
  if (!own || agreement === "agreed") return;
  // A tool's terminal is not the user's.
  const isBelow = isBelowTool();
  if (!isBelow && (await ask(own, agreement)) === true) agreeTo(own, place);
  else
    throw new AtlasBridgeError(
      "ATB_ADAPTER_UNTRUSTED",
      `${own.file} ${agreement === "new" ? "is new" : "was changed"}, and you have not agreed to run it`,
      {
        hint: `Read it: it is a program. To agree: atlasbridge adapter trust ${own.file}${isBelow ? `. ${OUTSIDE}` : ""}`,
      },
    );
}

const OUTSIDE = "Use a terminal outside of any session.";

/** Works even if the tool removed the variable. */
function isBelowTool(): boolean {
  return Boolean(process.env[SESSION_MARK]) || readDescentMark("self") !== Infinity;
}

function readAgreed({ agreedAdapters }: AgreedPlace): Readonly<Record<string, unknown>> {
  try {
    const agreed: unknown = JSON.parse(readPrivateText(agreedAdapters));
    return isObject(agreed) ? agreed : {};
  } catch {
    return {};
  }
}

function computeDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
