/** `audit export`: writes the audit for other programs (docs/how-to/export-the-audit.md). */
import { closeSync, existsSync, openSync, rmSync, writeSync } from "node:fs";
import { createFileError } from "../config/file-errors.js";
import { resolvePaths } from "../config/paths.js";
import { PRIVATE_FILE_MODE } from "../config/private-files.js";
import { formatCanonicalJson } from "../hub/audit/canonical.js";
import type { AuditRecord } from "../hub/audit/chain.js";
import { AuditReader } from "../hub/store/audit-log.js";
import { readStore } from "../hub/store/read-store.js";
import { AtlasBridgeError, EXIT } from "../model/errors.js";
import { getProgramVersion } from "../observe/package-root.js";
import { sendTraces, type TraceTarget } from "./send-traces.js";
import { buildTrace } from "./spans.js";

export const EXPORT_FORMATS = ["jsonl", "csv", "otlp"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface AuditExport {
  readonly format: ExportFormat;
  /** ms since 1970. */
  readonly since: number;
  /** Null: standard output. */
  readonly file: string | null;
}

/**
 * Returns the number of rows; `otlp` has only those of sessions. Errors: ATB_USAGE, ATB_FILE_FOREIGN, ATB_FILE_DENIED, ATB_STORE_*,
 * ATB_HUB_UNREACHABLE. Ends the process when the reader closes our pipe.
 */
export async function exportAudit({ format, since, file }: AuditExport): Promise<number> {
  requireAudit();
  const target = file === null ? STDOUT : openTarget(file);
  const write = (line: string): void => writeWhole(target, `${line}\n`, file ?? "standard output");
  try {
    return await readAudit((reader) => WRITERS[format](selectRows(reader, since), write, reader));
  } catch (error) {
    if (file !== null) rmSync(file, { force: true });
    throw error;
  } finally {
    if (file !== null) closeSync(target);
  }
}

function readAudit(read: (reader: AuditReader) => number): Promise<number> {
  return readStore(requireAudit(), (sqlite) => read(new AuditReader(sqlite)));
}

/** Errors: ATB_USAGE if there is none. */
function requireAudit(): string {
  const { database } = resolvePaths();
  if (existsSync(database)) return database;
  throw new AtlasBridgeError("ATB_USAGE", "there is no audit yet", { hint: "The first session makes it." });
}

/** Returns the number of sent rows. Errors: as `exportAudit`, and ATB_EXPORT_FAILED. */
export async function sendAudit(since: number, target: TraceTarget): Promise<number> {
  const messages: string[] = [];
  const rows = await readAudit((reader) =>
    WRITERS.otlp(selectRows(reader, since), (line) => void messages.push(line), reader),
  );
  await sendTraces(target, messages);
  return rows;
}

type Write = (line: string) => void;
type Writer = (rows: Iterable<AuditRecord>, write: Write, reader: AuditReader) => number;

const WRITERS: Readonly<Record<ExportFormat, Writer>> = {
  jsonl: (rows, write, reader) => {
    const count = writeEach(rows, (row) => write(formatCanonicalJson(row)));
    const seal = reader.seal();
    if (seal !== null) write(formatCanonicalJson({ seal }));
    return count;
  },
  csv: (rows, write) => {
    write(CSV_HEAD);
    return writeEach(rows, (row) => write(formatCsvRow(row)));
  },
  otlp: (rows, write) => {
    const sessions = new Map<string, AuditRecord[]>();
    let count = 0;
    for (const row of rows) {
      if (row.sessionId === null) continue;
      count += 1;
      const own = sessions.get(row.sessionId) ?? [];
      sessions.set(row.sessionId, own);
      own.push(row);
    }
    for (const [sessionId, own] of sessions)
      write(JSON.stringify(buildTrace(sessionId, own, getProgramVersion())));
    return count;
  },
};

function writeEach(rows: Iterable<AuditRecord>, take: (row: AuditRecord) => void): number {
  let count = 0;
  for (const row of rows) {
    take(row);
    count += 1;
  }
  return count;
}

/** All rows from the first match on: times may go back, but the chain must have no gap. */
function* selectRows(reader: AuditReader, since: number): Generator<AuditRecord> {
  let isReached = false;
  for (const row of reader.readAfter(0)) {
    isReached ||= row.at >= since;
    if (isReached) yield row;
  }
}

const STDOUT = 1;

function openTarget(file: string): number {
  try {
    return openSync(file, "wx", PRIVATE_FILE_MODE);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST")
      throw createFileError(cause, file, "cannot be written");
    throw new AtlasBridgeError("ATB_FILE_FOREIGN", `${file} already exists; it was not changed`, {
      hint: "Choose a file that does not exist yet.",
      cause,
    });
  }
}

/** How long to wait for the reader of a full pipe. */
const PIPE_FULL_MS = 5;

function writeWhole(target: number, text: string, name: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(target, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Like a program that SIGPIPE ends.
      if (code === "EPIPE" && target === STDOUT) process.exit(EXIT.unread);
      // It would look like an error of the database.
      if (code !== "EAGAIN") throw createFileError(error, name, "cannot be written");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_FULL_MS);
    }
  }
}

const COLUMNS = [
  ["position", (row) => row.position],
  ["at", (row) => row.at],
  ["step", (row) => row.step],
  ["session_id", (row) => row.sessionId],
  ["prompt_id", (row) => row.promptId],
  ["identity", (row) => row.identity],
  ["details", (row) => row.details],
  ["previous", (row) => row.previous],
  ["hash", (row) => row.hash],
] as const satisfies readonly (readonly [string, (row: AuditRecord) => string | number | null])[];

export const CSV_HEAD = COLUMNS.map(([name]) => name).join(",");

export function formatCsvRow(row: AuditRecord): string {
  return COLUMNS.map(([, read]) => formatField(read(row))).join(",");
}

function formatField(value: string | number | null): string {
  if (value === null) return "";
  return typeof value === "number" ? String(value) : `"${value.replaceAll('"', '""')}"`;
}
