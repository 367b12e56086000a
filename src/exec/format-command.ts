/** The output of `--dry-run`. */
import { quoteShellWord } from "../safety/shell-word.js";
import { isInstalled } from "../worker/process/executable.js";

/** After the tool's name, the command as it can be pasted into a shell. */
export function formatCommand(tool: string, command: readonly string[], cwd: string): string {
  const [program = ""] = command;
  const isThere = isInstalled(program, { path: process.env["PATH"], cwd });
  return `${tool}: ${command.map(quoteShellWord).join(" ")}${isThere ? "" : " (not installed)"}\n`;
}
