import type { Command } from "commander";
import { HOW_TO_REGISTER } from "../../app/how-to-register.js";
import { parseLabel } from "../parse-option.js";

export function registerMcp(program: Command): void {
  program
    .command("mcp")
    .summary("let agents ask you things (MCP server over stdio)")
    .description(
      "Offers ask_human, notify_human and permission_prompt to the program that starts it, over its standard input and output.\n" +
        HOW_TO_REGISTER,
    )
    .option("--label <text>", "a name for this session on the cards (at most 80 characters)", parseLabel)
    .action(async ({ label }: { readonly label?: string }) => {
      const { serveMcp } = await import("../../app/serve-mcp.js");
      process.exitCode = await serveMcp({ label: label ?? null });
    });
}
