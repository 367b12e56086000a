import type { Command } from "commander";
import type { ListedDelegation } from "../../client/grants.js";
import { formatDuration } from "../../model/data/age.js";
import { CommandFailed, printLines, printResult } from "../output.js";
import { parseTime } from "../parse-option.js";

export function registerDelegate(program: Command): void {
  const delegate = program
    .command("delegate")
    .summary("let somebody answer in another's place for a time")
    .description(
      "Both are names of `people` in the configuration. Whoever stands in may answer what the other may, and nothing else; cards and\n" +
        "record say for whom. Where a rule asks for two people, nobody stands in for one of them.",
    );

  delegate
    .command("to")
    .summary("let somebody stand in")
    .argument("<name>", "who stands in")
    .requiredOption("--for <time>", "for this long: 30m, 2h, 3d (at most 7d)", parseTime)
    .option("--from <name>", "in whose place; by default yours, or that of the only approver")
    .action(async (to: string, { for: forMs, from }: { for: number; from?: string }) => {
      const { delegate: make } = await import("../../client/grants.js");
      const made = await make({ to, forMs, ...(from !== undefined && { from }) });
      const time = formatDuration(forMs);
      printLines([`${made.to} may answer what ${made.from} may, for ${time}. \`delegate end\` ends it.`]);
    });

  delegate
    .command("end")
    .summary("end it before its time")
    .argument("[from]", "in whose place; by default yours, or that of the only approver")
    .action(async (from: string | undefined) => {
      const { endDelegation } = await import("../../client/grants.js");
      const { from: name, ended } = await endDelegation(from);
      if (!ended) throw new CommandFailed("no_delegation", `Nobody answers in ${name}'s place.`);
      printLines([`Ended: nobody answers in ${name}'s place any more.`]);
    });

  delegate
    .command("list", { isDefault: true })
    .summary("list who stands in for whom")
    .option("--json", "print one JSON object", false)
    .action(async ({ json }: { json: boolean }) => {
      await printResult(
        json,
        async () => {
          const { fetchDelegations } = await import("../../client/grants.js");
          return fetchDelegations();
        },
        (found) =>
          found.length === 0 ? ["Nobody answers in another's place."] : found.map(formatDelegation),
      );
    });
}

function formatDelegation({ from, to, endsAt, hold }: ListedDelegation): string {
  const left = `${to} answers for ${from}: ${formatDuration(Date.parse(endsAt) - Date.now())} left`;
  return hold === undefined ? left : `${left} · ⚠ ${hold}`;
}
