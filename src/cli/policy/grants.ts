import type { Command } from "commander";
import type { ListedGrant } from "../../client/grants.js";
import { formatDuration } from "../../model/data/age.js";
import { CommandFailed, printLines, printResult } from "../output.js";

export function registerGrants(program: Command): void {
  const grants = program
    .command("grants")
    .summary("list and end what was allowed in advance")
    .description(
      'A grant answers exactly one request again, as "Yes for…" on a card or `answer --for 1h` made it. It is used only for the\n' +
        "same arguments in the same directory, and each use stands in the audit. `pause` stops grants, too.",
    );

  grants
    .command("list", { isDefault: true })
    .summary("list the grants that have not ended, and what keeps one from answering")
    .option("--json", "print one JSON object", false)
    .action(async ({ json }: { json: boolean }) => {
      await printResult(
        json,
        async () => {
          const { fetchGrants } = await import("../../client/grants.js");
          return fetchGrants();
        },
        (found) => (found.length === 0 ? ["No grants."] : found.flatMap(formatGrant)),
      );
    });

  grants
    .command("revoke")
    .summary("end a grant: it answers nothing any more")
    .argument("[id]", "its id, such as g3")
    .option("--all", "end all of them", false)
    .action(async (id: string | undefined, { all }: { all: boolean }) => {
      if ((id === undefined) === !all)
        throw new CommandFailed("which_grant", "Name one grant, such as g3, or write --all.");
      const { revokeGrants } = await import("../../client/grants.js");
      const ended = await revokeGrants(all ? null : (id ?? "").toLowerCase());
      if (ended.length === 0 && !all)
        throw new CommandFailed("unknown_grant", `There is no grant ${id ?? ""}. \`grants\` lists them.`);
      printLines([ended.length === 0 ? "There are no grants." : `Ended: ${ended.join(", ")}`]);
    });
}

function formatGrant({
  id,
  tool,
  request,
  directory,
  anywhere,
  by,
  used,
  uses,
  endsAt,
  hold = null,
}: ListedGrant): string[] {
  const count = uses === null ? `used ${used} times` : `used ${used} of ${uses}`;
  const left =
    endsAt === null ? "until its session ends" : `${formatDuration(Date.parse(endsAt) - Date.now())} left`;
  const where = anywhere ? "any session there" : "one session";
  return [
    `${id}  ${tool}: ${request}`,
    `    ${directory} · ${where} · by ${by} · ${count} · ${left}`,
    ...(hold === null ? [] : [`    ⚠ ${hold}`]),
  ];
}
