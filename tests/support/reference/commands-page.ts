/** `docs/reference/commands.md`: every command with its arguments and options, as commander knows them. */
import type { Command, Option } from "commander";
import { describeCli } from "../../../src/cli/program.js";
import { code, GENERATED, page, table } from "./markdown.js";

export function commandsPage(): string {
  const program = describeCli();
  const commands = program.commands.flatMap((command) => runnable(command, program.name()));
  return page(
    "# Commands",
    GENERATED,
    "`atlasbridge COMMAND --help` says the same at the terminal. [Errors and exit codes](errors.md) lists what a command exits with.",
    table(
      ["Command", "What it does"],
      commands.map(({ name, command }) => [`[${code(name)}](#${makeAnchor(name)})`, command.summary()]),
    ),
    ...commands.map(renderSection),
  );
}

interface NamedCommand {
  readonly name: string;
  readonly command: Command;
}

/** A command that only groups others is no entry of its own. */
function runnable(command: Command, parent: string): NamedCommand[] {
  const name = `${parent} ${command.name()}`;
  if (command.commands.length === 0) return [{ name, command }];
  return command.commands.flatMap((each) => runnable(each, name));
}

/** As GitHub makes it of the heading. */
function makeAnchor(name: string): string {
  return name.replaceAll(" ", "-");
}

function renderSection({ name, command }: NamedCommand): string {
  const rows = [
    ...command.registeredArguments.map((argument) => [
      code(argument.required ? `<${argument.name()}>` : `[${argument.name()}]`),
      argument.description,
    ]),
    ...command.options.map((option) => [code(option.flags), describeMeaning(option)]),
  ];
  return page(
    `## ${name}`,
    command.description() || sentence(command.summary()),
    `\`\`\`\n${name} ${command.usage()}\n\`\`\``,
    rows.length === 0 ? "" : table(["Argument or option", "Meaning"], rows),
  ).trimEnd();
}

/** What a summary says, as a sentence of its own. */
function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

function describeMeaning({ description, argChoices, defaultValue, negate }: Option): string {
  const choices = argChoices ? `one of ${argChoices.map(code).join(", ")}` : null;
  const silent = defaultValue === undefined || defaultValue === false || negate;
  const byDefault = silent ? null : `default ${code(String(defaultValue))}`;
  const notes = [choices, byDefault].filter((note) => note !== null);
  return notes.length === 0 ? description : `${description} (${notes.join("; ")})`;
}
