/** `atlasbridge db …`: the ledger's file. */
import type { Command } from "commander";
import type { LedgerInfo } from "../../app/hub/ledger-files.js";
import { isoInstant } from "../../model/clock.js";
import { printLines, report } from "../output.js";

export function registerDb(program: Command): void {
  const db = program.command("db").summary("look at the ledger's database, or keep a copy of it");

  db.command("info")
    .summary("show where it is and how much it holds")
    .option("--json", "print one JSON object", false)
    .action(async ({ json }: { json: boolean }) => {
      const { ledgerInfo } = await import("../../app/hub/ledger-files.js");
      await report(json, ledgerInfo, infoLines);
    });

  db.command("archive")
    .summary("write a copy of it, as it is now, while the hub goes on")
    .argument("[file]", "where to; default: beside the database, with the time in its name")
    .action(async (file: string | undefined) => {
      const { archiveLedger } = await import("../../app/hub/ledger-files.js");
      printLines([`Archived in ${await archiveLedger(file, Date.now())}.`]);
    });
}

const KIBIBYTE = 1024;

export function infoLines({
  path,
  schema,
  bytes,
  rows,
  openPrompts,
  oldestPromptAt,
  keptSeals,
}: LedgerInfo): string[] {
  const since = oldestPromptAt === null ? "" : `, the oldest from ${isoInstant(oldestPromptAt)}`;
  return [
    `${path}: schema ${schema}, ${Math.ceil(bytes / KIBIBYTE)} KiB`,
    `  sessions    ${rows.sessions}`,
    `  questions   ${rows.prompts} (${openPrompts} open${since})`,
    `  answers     ${rows.replies}, put in ${rows.injections}`,
    `  cards       ${rows.deliveries}`,
    `  to be sent  ${rows.outbox}`,
    `  received    ${rows.spool}`,
    `  audit       ${rows.audit} rows, ${keptSeals === 1 ? "1 seal" : `${keptSeals} seals`} kept outside`,
  ];
}
