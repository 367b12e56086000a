/** Shells: they read commands from their input, and edit the line on which somebody types one. */
export const SHELLS: ReadonlySet<string> = new Set(
  "sh bash rbash dash ash zsh ksh ksh93 mksh fish csh tcsh nu xonsh elvish pwsh powershell".split(" "),
);
