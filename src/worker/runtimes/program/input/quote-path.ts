import type { ProgramFile } from "../../../adapter-format/program/program-file.js";

type Quote = NonNullable<ProgramFile["capabilities"]["cd_command_quote"]>;

const ESCAPE: Readonly<Record<Quote, (path: string) => string>> = {
  single_quote_posix: (path) => path.replaceAll("'", "'\\''"),
  single_quote_pwsh: (path) => path.replaceAll("'", "''"),
  double_quote_cmd: (path) => path.replaceAll('"', '""'),
  c_style_double_quote: (path) => path.replaceAll("\\", "\\\\").replaceAll('"', '\\"'),
};

/** Returns the command that changes to `path`; null if the program has none, or the path does not fit into one line. */
export function buildCdCommand(
  { capabilities }: Pick<ProgramFile, "capabilities">,
  path: string,
): string | null {
  const { cd_command: command, cd_command_quote: quote, cwd_format: format } = capabilities;
  if (command === undefined || quote === undefined || /\p{Cc}/u.test(path)) return null;
  const isForeign = format === "windows_native" ? path.startsWith("/") : /^[A-Za-z]:\\/.test(path);
  return isForeign ? null : command.replaceAll("{path}", () => ESCAPE[quote](path));
}
