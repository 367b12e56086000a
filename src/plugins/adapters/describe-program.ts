/** Hints from a program file, for people and agents. None is enforced. */
import { listExecutables } from "../../worker/adapter-format/program/executables.js";
import type { ReadProgram } from "../../worker/adapter-format/program/read-program.js";
import type { ProgramFile } from "../../worker/adapter-format/program/program-file.js";

export function describeProgram({ program, notes, script }: ReadProgram): readonly string[] {
  const { prompt, tests } = program;
  const { protocol } = prompt.shell_integration ?? {};
  return [
    `  family      ${program.family}`,
    ...formatOptional("home", program.homepage),
    ...formatOptional("licence", program.license),
    `  starts      ${listExecutables(program).join(", ")}`,
    `  prompt      ${protocol ?? prompt.strategy}${script?.includes("{nonce}") ? ", proved by the session's secret" : ""}`,
    ...prompt.group_captures.map(({ name, role }) => `  captures    ${name}${role ? ` (${role})` : ""}`),
    `  can         ${listCapabilities(program).join(", ")}`,
    ...listRestarts(program),
    ...listKeys(program),
    ...listModes(program),
    ...listCommands(program),
    `  tests       ${tests.length}`,
    ...(program.tested ? [] : ["  tested      no, nobody has run it on this system yet"]),
    ...notes.map((note) => `  note        ${note}`),
  ];
}

const SUMMARY_MAX = 300;

/** The first sentence of the description, in one line. */
export function summarize({ description }: Pick<ProgramFile, "description">): string {
  const [first = ""] = description.trim().split(/(?<=\.)\s|\n/u, 1);
  return first.length > SUMMARY_MAX ? `${first.slice(0, SUMMARY_MAX)}…` : first.replace(/\.$/u, "");
}

const EXIT_CODES = {
  true: "exit_code says how a command ended; null: it is not known",
  false: "exit_code is null, whether a command failed or not",
  unreliable: "exit_code is null, because this program's own codes are not reliable",
} as const;

export function adviseAgent(program: ProgramFile): string {
  const { capabilities } = program;
  const facts = [
    `  can         ${listCapabilities(program).join(", ")}`,
    `  exit codes  ${EXIT_CODES[`${capabilities.exit_code}`]}`,
    ...listModes(program),
    ...listCommands(program),
  ];
  const lines = [summarize(program), ...facts.map((fact) => fact.trim().replace(/ {2,}/, ": "))];
  return lines.map((line) => line.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()).join("\n");
}

function listCapabilities({ capabilities, input }: ProgramFile): readonly string[] {
  const { exit_code: exitCode, cwd_tracking: tracksCwd, cwd_format: format } = capabilities;
  return [
    capabilities.stateful ? "keep its state" : "keep no state",
    ...(capabilities.interrupt ? ["be interrupted"] : []),
    ...(exitCode === true ? ["tell exit codes"] : []),
    ...(tracksCwd ? [`tell its directory (${format})`] : []),
    ...(capabilities.job_control ? ["run jobs"] : []),
    ...(capabilities.async_output ? ["print between commands"] : []),
    ...(capabilities.auto_modes ? ["change its mode by itself"] : []),
    ...(capabilities.shell_integration === null ? [] : [capabilities.shell_integration]),
    ...(input.multiline_delivery === "direct" ? [] : [`take blocks by ${input.multiline_delivery}`]),
  ];
}

function listRestarts({ lifecycle: { restart_on: occasions } }: ProgramFile): readonly string[] {
  const words = occasions.map((occasion) => occasion.replaceAll("_", " ")).join(", ");
  return words === "" ? [] : [`  restarts    after ${words}, where an agent started it`];
}

function listKeys({ signals }: ProgramFile): readonly string[] {
  const { interrupt, eof, suspend, interrupt_confirm: confirm } = signals;
  const keys = Object.entries({ interrupt, confirm, eof, suspend }).flatMap(([name, key]) =>
    key === null ? [] : [`${name} ${nameKey(key)}`],
  );
  return keys.length > 0 ? [`  keys        ${keys.join(", ")}`] : [];
}

function nameKey(key: string): string {
  return [...key]
    .map((each) => (each.charCodeAt(0) < 32 ? `Ctrl-${String.fromCharCode(each.charCodeAt(0) + 64)}` : each))
    .join(" ");
}

function listModes({ modes }: ProgramFile): readonly string[] {
  return modes.map(({ name, advance_commands: advance, exit_commands: exits, auto_enter: auto }) => {
    const moves = [...advance, ...exits].map(
      ({ command, effect }) => `${command} (${effect.replaceAll("_", " ")})`,
    );
    const words = [...(auto ? ["entered unasked"] : []), ...(moves.length > 0 ? [moves.join(", ")] : [])];
    return `  mode        ${name}${words.length > 0 ? `: ${words.join("; ")}` : ""}`;
  });
}

function listCommands({ commands, capabilities }: ProgramFile): readonly string[] {
  if (!commands || !capabilities.meta_commands) return [];
  const { prefix, scope, discovery, builtin } = commands;
  const vocabulary = Object.entries(commands.debugger ?? {}).flatMap(([name, command]) =>
    command === null ? [] : [`${name.replaceAll("_", " ")}: ${command}`],
  );
  const use = [
    ...(scope.length > 0 ? [`only in ${scope.join(", ")}`] : []),
    ...(prefix === "" ? [] : [`begin with ${prefix}`]),
    ...(discovery === undefined ? [] : [`${discovery} lists all of them`]),
  ];
  return [
    ...(use.length > 0 ? [`  commands    ${use.join("; ")}`] : []),
    ...builtin.map(
      ({ name, syntax, description }) =>
        `  command     ${name}: ${syntax}${description ? `, ${description}` : ""}`,
    ),
    ...(vocabulary.length > 0 ? [`  debugger    ${vocabulary.join(", ")}`] : []),
  ];
}

function formatOptional(label: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`  ${label.padEnd(11)} ${value}`];
}
