import type { Command } from "commander";
import type { Person } from "../../config/schema.js";
import { makeVisible } from "../../safety/display.js";
import { printLines, printResult, warnOfEarlierConfig } from "../output.js";

export function registerPeople(program: Command): void {
  const people = program
    .command("people")
    .summary("manage who may answer")
    .description("Changes the configuration file, keeps its comments, and has a running hub use it at once.");
  people
    .command("list")
    .summary("list the people, their role and their accounts")
    .option("--json", "print one JSON object", false)
    .action(async ({ json }: { json: boolean }) => {
      const { listPeople } = await import("../../client/people.js");
      await printResult(
        json,
        () => Promise.resolve(listPeople()),
        (listed) =>
          listed.length === 0 ? ["Nobody yet: `atlasbridge setup` pairs you."] : listed.map(formatPerson),
      );
      await warnOfEarlierConfig();
    });
  people
    .command("remove")
    .summary("take a person out: nothing they send is an answer any more")
    .argument("<name>", "the person's name, as `people list` shows it")
    .action(async (name: string) => {
      const { removeFromPeople } = await import("../../client/people.js");
      const { identities } = await removeFromPeople(name);
      printLines([
        makeVisible(`${name} (${identities.join(", ")}) may not answer any more.`),
        "The chats that prompts go to stay as they are: see `atlasbridge channel list`.",
      ]);
    });
  people
    .command("merge")
    .summary("make two entries one person, with the accounts of both")
    .argument("<name>", "the entry that goes away")
    .argument("<into>", "the entry that stays, with its name and role")
    .action(async (name: string, into: string) => {
      const { mergeInto } = await import("../../client/people.js");
      printLines([formatPerson(await mergeInto(name, into))]);
    });
}

function formatPerson({ name, role, identities }: Person): string {
  return makeVisible(`${name} · ${role} · ${identities.length === 0 ? "no account" : identities.join(", ")}`);
}
