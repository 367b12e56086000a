import { Argument, type Command } from "commander";
import { makeVisible } from "../../safety/display.js";
import { printLines } from "../output.js";
import { isNameKind, NAME_KINDS, SHELLS, type CompletionShell } from "./command-table.js";

export function registerCompletion(program: Command): void {
  program
    .command("completion")
    .summary("print the completion script for bash, zsh or fish")
    .description(
      "Prints a script that completes commands, options and their values. To have it in every shell:\n" +
        "  bash  echo 'source <(atlasbridge completion bash)' >> ~/.bashrc\n" +
        "  zsh   echo 'source <(atlasbridge completion zsh)' >> ~/.zshrc   (below compinit)\n" +
        "  fish  atlasbridge completion fish > ~/.config/fish/completions/atlasbridge.fish\n" +
        "With tools, adapters, sessions, prompts, people or grants it prints their names, which the script asks for.",
    )
    .addArgument(
      new Argument("<shell>", "the shell, or the names to print").choices([...SHELLS, ...NAME_KINDS]),
    )
    .action(async (shell: CompletionShell | (typeof NAME_KINDS)[number]) => {
      if (isNameKind(shell)) {
        const { listCompletionNames } = await import("../../client/completion-names.js");
        printLines((await listCompletionNames(shell)).map(makeVisible));
      } else process.stdout.write(await writeCompletion(program, shell));
    });
}

async function writeCompletion(program: Command, shell: CompletionShell): Promise<string> {
  const { buildCommandTable } = await import("./command-table.js");
  const table = buildCommandTable(program);
  switch (shell) {
    case "bash":
      return (await import("./bash.js")).writeBashCompletion(table);
    case "zsh":
      return (await import("./zsh.js")).writeZshCompletion(table);
    case "fish":
      return (await import("./fish.js")).writeFishCompletion(table);
  }
}
