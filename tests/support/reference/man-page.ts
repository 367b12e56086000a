/** `man/atlasbridge.1`: the manual page, made of the same command table as the reference page. */
import type { Command } from "commander";
import { describeCli } from "../../../src/cli/program.js";
import { EXIT_MEANINGS } from "../../../src/model/errors.js";
import { TIMEOUT_FACTOR } from "../../../src/worker/prompts/limits.js";
import { getProgramVersion } from "../../../src/observe/package-root.js";

export function manPage(): string {
  const program = describeCli();
  const commands = program.commands.flatMap((command) => listRunnable(command, program.name()));
  return [
    '.\\" Generated from the code: npm run docs',
    `.TH ATLASBRIDGE 1 "" "AtlasBridge ${getProgramVersion()}" "User Commands"`,
    ".SH NAME",
    "atlasbridge \\- answer the prompts of any AI CLI from your phone",
    ".SH SYNOPSIS",
    ".B atlasbridge",
    ".I COMMAND",
    "[options]",
    ".SH DESCRIPTION",
    escape(program.description()),
    ".PP",
    escape("Begin with `atlasbridge setup`. Then start a tool with `atlasbridge run --ask TOOL`."),
    ".SH COMMANDS",
    ...commands.flatMap(describe),
    ".SH EXIT STATUS",
    ...Object.entries(EXIT_MEANINGS).flatMap(([code, meaning]) => [".TP", `.B ${code}`, escape(meaning)]),
    escape("`run` exits as its tool does."),
    ".SH FILES",
    ...FILES.flatMap(([file, meaning]) => [".TP", `.I ${escape(file)}`, escape(meaning)]),
    ".SH ENVIRONMENT",
    ".TP",
    ".B ATLASBRIDGE_HOME",
    "One folder for configuration, data and socket, with a hub of its own.",
    ".TP",
    `.B ${TIMEOUT_FACTOR}`,
    "A number from 1 to 100: on a slow machine or line `run` waits so many times as long for the tool before it calls an answer uncertain.",
    "",
  ].join("\n");
}

const FILES = [
  ["~/.config/atlasbridge/config.yaml", "The configuration, below $XDG_CONFIG_HOME if that is set."],
  ["~/.config/atlasbridge/adapters", "Your own adapter files."],
  ["~/.local/share/atlasbridge", "Ledger, keys and logs, below $XDG_DATA_HOME if that is set."],
] as const;

interface NamedCommand {
  readonly name: string;
  readonly command: Command;
}

function listRunnable(command: Command, parent: string): NamedCommand[] {
  const name = `${parent} ${command.name()}`;
  if (command.commands.length === 0) return [{ name, command }];
  return command.commands.flatMap((each) => listRunnable(each, name));
}

function describe({ name, command }: NamedCommand): string[] {
  const text = command.description() || sentence(command.summary());
  const parts = [
    ...command.registeredArguments.map((argument) => ({
      name: argument.name(),
      meaning: argument.description,
    })),
    ...command.options.map(({ flags, description }) => ({ name: flags, meaning: description })),
  ];
  return [
    `.SS "${escape(name)} ${escape(command.usage())}"`,
    ...text.split("\n").flatMap((line, at) => [...(at > 0 ? [".br"] : []), escape(line)]),
    ...parts.flatMap(({ name: part, meaning }) => [".TP", `.B ${escape(part)}`, escape(meaning) || "\\&"]),
  ];
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** A line of text for roff: no line of it is a request, and a hyphen stays one that can be copied. */
function escape(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/u, "\\&");
}
