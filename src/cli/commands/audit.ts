import { InvalidArgumentError, Option, type Command } from "commander";
import type { AuditNote, VerifiedAudit } from "../../app/hub/ledger-files.js";
import { formatInstant } from "../../model/clock.js";
import { EXIT } from "../../model/errors.js";
import type { ExportFormat } from "../../export/export-audit.js";
import { CommandFailed, printLines, printResult } from "../output.js";
import { readSince } from "../parse-option.js";

interface VerifyFlags {
  readonly file?: string;
  readonly expect?: AuditNote;
  readonly json: boolean;
}

export function registerAudit(program: Command): void {
  const audit = program
    .command("audit")
    .summary("check or export the audit log")
    .description("The audit log records every prompt, answer and typed key, chained and sealed.");
  registerExport(audit);
  audit
    .command("verify")
    .summary("check the whole log and name the first row that does not fit")
    .description(
      "Checks every row, the hash chain, and the seals made with the key in audit.key.\n" +
        "Exit code: 0 intact, 8 not intact.",
    )
    .option("--file <path>", "check this copy instead (see `db archive`)")
    .option("--expect <count:head>", "also compare with what an earlier run printed", parseNote)
    .option("--json", "print one JSON object", false)
    .action(async ({ file, expect, json }: VerifyFlags) => {
      const { checkAudit } = await import("../../app/hub/ledger-files.js");
      await printResult(
        json,
        async () => requireIntact(await checkAudit({ file, noted: expect })),
        formatVerified,
      );
    });
}

interface ExportFlags {
  readonly format: ExportFormat;
  readonly since?: string;
  readonly file?: string;
  readonly endpoint?: string;
}

function registerExport(audit: Command): void {
  audit
    .command("export")
    .summary("write the log's rows for other programs")
    .description(
      "Writes every row of the log. jsonl ends with the newest seal; otlp is a line of OpenTelemetry spans for each session. How to check it elsewhere: docs/how-to/export-the-audit.md.",
    )
    .addOption(new Option("--format <name>", "how").choices(["jsonl", "csv", "otlp"]).default("jsonl"))
    .option("--since <time>", "only rows from then on, such as 7d or 12h ago (default: all)")
    .option("--file <path>", "a new file (default: standard output)")
    .addOption(
      new Option(
        "--endpoint <url>",
        "send spans to this OpenTelemetry endpoint instead (http://localhost:4318), with the headers of $OTEL_EXPORTER_OTLP_HEADERS",
      ).conflicts(["file", "format"]),
    )
    .action(async ({ format, since, file, endpoint }: ExportFlags) => {
      const { exportAudit } = await import("../../export/export-audit.js");
      const from = since === undefined ? 0 : readSince(since);
      if (endpoint !== undefined) return sendToEndpoint(endpoint, from);
      const rows = await exportAudit({ format, since: from, file: file ?? null });
      if (file !== undefined) printLines([`${rows} rows written to ${file}`]);
    });
}

async function sendToEndpoint(endpoint: string, since: number): Promise<void> {
  const { HEADERS_VARIABLE, parseEndpoint } = await import("../../export/send-traces.js");
  const { sendAudit } = await import("../../export/export-audit.js");
  const target = parseEndpoint(endpoint, process.env[HEADERS_VARIABLE]);
  printLines([`${await sendAudit(since, target)} rows sent to ${target.url.origin}${target.url.pathname}`]);
}

interface IntactAudit {
  readonly rows: number;
  readonly head: string;
  readonly seals: number;
}

/** Throws CommandFailed with exit code 8 and the first bad row. */
export function requireIntact({ rows, verdict, row }: VerifiedAudit): IntactAudit {
  if (verdict.intact) return { rows, head: verdict.head.hash, seals: verdict.seals };
  const { position, problem, until } = verdict;
  const what = row === null ? "" : ` (${row.step}, ${formatInstant(row.at)})`;
  const where =
    until === undefined || until === position ? `row ${position}${what}` : `rows ${position} to ${until}`;
  throw new CommandFailed(
    `audit_${problem}`,
    `the audit is not intact: ${where}: ${PROBLEMS[problem]}.`,
    EXIT.damaged,
  );
}

const PROBLEMS: Readonly<Record<Extract<VerifiedAudit["verdict"], { intact: false }>["problem"], string>> = {
  missing: "a row is missing",
  broken_link: "it does not follow from the previous row",
  changed: "it was changed",
  cut: "sealed rows from here on are missing",
  made_anew: "from there on it is not the audit that was sealed",
  unsealed: "it was written without a seal",
  forged_seal: "its seal was not made with the key",
  key_missing: "audit.key is missing, so they cannot be verified",
  key_lost: "they were sealed with a lost key, so they cannot be verified",
  found_broken: "a hub found that the audit did not end here as it was sealed",
};

function formatVerified({ rows, head, seals }: IntactAudit): string[] {
  return [
    `The audit is intact: ${rows} rows, ${seals} seals.`,
    `To check later that nothing was changed: --expect ${rows}:${head}`,
  ];
}

function parseNote(text: string): AuditNote {
  const [, count, hash] = /^(\d{1,12}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (count === undefined || hash === undefined)
    throw new InvalidArgumentError("Expected a number, a colon and 64 hex digits.");
  return { count: Number(count), hash };
}
