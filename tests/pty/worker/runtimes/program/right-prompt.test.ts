/** A prompt with a part at the right margin is none of a command's output, and keeps a console closed only while a line is begun. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../../../../support/hub-home.js";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import { notInstalled, skipped } from "../../../../support/skipped.js";

const ERASE = "\x7f\x7f";
const TURN_MS = 60_000;
const TYPING = { state: "refused", note: "somebody is typing at the terminal" };

const RIGHT_IN_FISH = "function fish_right_prompt; date +%H:%M:%S; end\n";
/** As powerlevel10k and starship draw theirs. */
const TWO_ROWS = String.raw`PROMPT=$'%F{blue}%~%f                    right\n> '; RPROMPT=$'%{\e[1A%}%T%{\e[1B%}'`;

const PROMPTS: readonly (readonly [string, string, string])[] = [
  ["zsh", "RPROMPT", "RPROMPT='%D{%H:%M:%S}'"],
  ["zsh", "two rows, the right part in the upper one", `precmd() { ${TWO_ROWS} }`],
  ["zsh", "one that changes each second", "RPROMPT='%D{%S}'; TMOUT=1; TRAPALRM() { zle reset-prompt }"],
  ["fish", "fish_right_prompt", RIGHT_IN_FISH],
  ["fish", "two rows", `${RIGHT_IN_FISH}function fish_prompt; echo /dir; echo -n '> '; end`],
];

async function use(shell: string, text: string, work: (opened: TestProgram) => Promise<void>): Promise<void> {
  const prepare = (folder: string): void => {
    const file = join(folder, shell === "fish" ? ".config/fish/config.fish" : ".zshrc");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${text}\n`);
  };
  const opened = await openTestProgram(shell, { prepare });
  try {
    await work(opened);
  } finally {
    await opened.close();
  }
}

const echoes = async (opened: TestProgram): Promise<void> =>
  expect(await opened.run("echo one", TURN_MS)).toMatchObject({
    state: "finished",
    exitCode: 0,
    output: { text: "one\n", isExact: true },
  });

describe.each(PROMPTS)("in %s, %s", (shell, _what, text) => {
  it.skipIf(skipped(notInstalled(shell)))("is no output, and lets a command in once a line is erased", () =>
    use(shell, text, async (opened) => {
      await echoes(opened);
      await opened.type("ls");
      // Longer than a second: it is drawn again meanwhile.
      expect(await opened.run("echo two", 2500)).toMatchObject(TYPING);
      await opened.type(ERASE);
      await echoes(opened);
    }),
  );
});

describe.each(["bash", "zsh"])("%s", (shell) => {
  it.skipIf(skipped(notInstalled(shell)))("takes no command into what was typed before its prompt", () =>
    use(shell, "", async (opened) => {
      await opened.type("sleep 0.5\r");
      await eventually(() => opened.session.phase === "running");
      await opened.type("ls");
      expect(await opened.run("echo two", 2500)).toMatchObject(TYPING);
      await opened.type(ERASE);
      await echoes(opened);
    }),
  );
});
