/** `atlasbridge audit verify`: verifies the audit log. */
import { InvalidArgumentError, type Command } from "commander";
import type { AuditNote, VerifiedAudit } from "../../app/hub/ledger-files.js";
import { formatInstant } from "../../model/clock.js";
import { EXIT } from "../../model/errors.js";
import { CommandFailed, printResult } from "../output.js";

interface VerifyFlags {
  readonly file?: string;
  readonly expect?: AuditNote;
  readonly json: boolean;
}

export function registerAudit(program: Command): void {
  program
    .command("audit")
    .summary("check the audit log")
    .description("The audit log records every prompt, answer and typed key, chained and sealed.")
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

interface IntactAudit {
  readonly rows: number;
  readonly head: string;
  readonly seals: number;
}

/** Throws CommandFailed with exit code 8 that names the first bad row. */
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
  foreign: "the hub did not write it, or wrote it with another audit.key",
  cut: "sealed rows from here on are missing",
  made_anew: "from there on it is not the audit that was sealed",
  unsealed: "it was written without a seal",
  forged_seal: "its seal was not made with the key",
  other_key: "its seal was made with a different key",
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
