import { Argument, Option, type Command } from "commander";
import type { Person } from "../../config/schema.js";
import { createUsageError } from "../../model/errors.js";
import { makeVisible } from "../../safety/display.js";
import { pairOneMore } from "./channel.js";
import { ROLES } from "./roles.js";
import { printLines, printResult, warnOfEarlierConfig } from "../output.js";

const ADDED_ROLE_HELP =
  "approver, who may answer, or viewer; required with name and account, otherwise the terminal asks";

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
  registerAdd(people);
  people
    .command("remove")
    .summary("take a person out, with their private chat: nothing they send is an answer any more")
    .argument("<name>", "the person's name, as `people list` shows it")
    .action(async (name: string) => {
      const { removeFromPeople } = await import("../../client/people.js");
      const { identities, chats } = await removeFromPeople(name);
      printLines([
        makeVisible(`${name} (${identities.join(", ")}) may not answer any more.`),
        ...chats.map((chat) => makeVisible(`Nothing is sent to the private chat ${chat} any more.`)),
        "Other chats stay: who reads them sees the prompts (`atlasbridge channel list`).",
      ]);
    });
  people
    .command("role")
    .summary("let a person answer, or only look")
    .argument("<name>", "the person's name, as `people list` shows it")
    .addArgument(new Argument("<role>", "what the person may do").choices(ROLES))
    .action(async (name: string, role: Person["role"]) => {
      const { changeRole } = await import("../../client/people.js");
      printLines([formatPerson(await changeRole(name, role))]);
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

function registerAdd(people: Command): void {
  people
    .command("add")
    .summary("pair one more person with a code, or list a known account")
    .argument("[name]", "the person's name, with the account")
    .argument("[account]", "such as telegram:1001; prompts go to the chats they went to before")
    .addOption(new Option("--role <role>", ADDED_ROLE_HELP).choices(ROLES))
    .action(async (name?: string, identity?: string, { role }: { role?: Person["role"] } = {}) => {
      const { addToPeople, findPairedChannel } = await import("../../client/people.js");
      if (name === undefined) return pairOneMore(findPairedChannel(), { role: role ?? null });
      if (identity === undefined)
        throw createUsageError(
          "an account is missing after the name",
          "Write it as CHANNEL:ID, such as telegram:1001; without name and account a code pairs the person.",
        );
      if (role === undefined)
        throw createUsageError(
          `nothing says what ${makeVisible(name)} may do`,
          "Add --role approver, who may answer, or --role viewer, who only looks.",
        );
      printLines([formatPerson(await addToPeople({ name, identity, role }))]);
    });
}

function formatPerson({ name, role, identities }: Person): string {
  return makeVisible(`${name} · ${role} · ${identities.length === 0 ? "no account" : identities.join(", ")}`);
}
