import { Argument, type Command } from "commander";
import { SHELLS, type CompletionShell } from "./command-table.js";

export function registerCompletion(program: Command): void {
  program
    .command("completion")
    .summary("print the completion script for bash, zsh or fish")
    .description(
      "Prints a script that completes commands, options and their values. To have it in every shell:\n" +
        "  bash  echo 'source <(atlasbridge completion bash)' >> ~/.bashrc\n" +
        "  zsh   echo 'source <(atlasbridge completion zsh)' >> ~/.zshrc   (below compinit)\n" +
        "  fish  atlasbridge completion fish > ~/.config/fish/completions/atlasbridge.fish",
    )
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .action(async (shell: CompletionShell) => {
      process.stdout.write(await writeCompletion(program, shell));
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
