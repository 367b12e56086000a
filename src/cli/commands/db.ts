import type { Command } from "commander";
import type { LedgerInfo } from "../../app/hub/ledger-files.js";
import { formatInstant } from "../../model/clock.js";
import { printLines, printResult } from "../output.js";

export function registerDb(program: Command): void {
  const db = program.command("db").summary("inspect or copy the ledger's database");

  db.command("info")
    .summary("show the database's location and size")
    .option("--json", "print one JSON object", false)
    .action(async ({ json }: { json: boolean }) => {
      const { getLedgerInfo } = await import("../../app/hub/ledger-files.js");
      await printResult(json, getLedgerInfo, formatInfo);
    });

  db.command("archive")
    .summary("write a copy of the database, even while the hub runs")
    .argument("[file]", "target file (default: beside the database, with the time in its name)")
    .action(async (file: string | undefined) => {
      const { archiveLedger } = await import("../../app/hub/ledger-files.js");
      printLines([`Archived in ${await archiveLedger(file, Date.now())}.`]);
    });
}

const KIBIBYTE = 1024;

function formatInfo({
  path,
  schema,
  bytes,
  rows,
  openPrompts,
  oldestPromptAt,
  keptSeals,
}: LedgerInfo): string[] {
  const since = oldestPromptAt === null ? "" : `, the oldest from ${formatInstant(oldestPromptAt)}`;
  return [
    `${path}: schema ${schema}, ${Math.ceil(bytes / KIBIBYTE)} KiB`,
    `  sessions    ${rows.sessions}`,
    `  prompts     ${rows.prompts} (${openPrompts} open${since})`,
    `  answers     ${rows.replies}, typed ${rows.injections}`,
    `  cards       ${rows.deliveries}`,
    `  to be sent  ${rows.outbox}`,
    `  received    ${rows.spool}`,
    `  audit       ${rows.audit} rows, ${keptSeals === 1 ? "1 seal" : `${keptSeals} seals`} kept outside`,
  ];
}
