/** What a person sets in their shell works as without us, and takes no mark away: `set -e`, traps, an output that is sent elsewhere. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../../../../support/hub-home.js";
import { openTestProgram, type OpeningOptions, type TestProgram } from "../../../../support/program/open.js";
import { notInstalled, skipped } from "../../../../support/skipped.js";

async function use(
  name: string,
  work: (opened: TestProgram) => Promise<void>,
  options?: OpeningOptions,
): Promise<void> {
  const opened = await openTestProgram(name, options);
  try {
    await work(opened);
  } finally {
    await opened.close();
  }
}

function startWith(file: string, line: string): OpeningOptions {
  return { prepare: (folder) => writeFileSync(join(folder, file), `${line}\n`) };
}

describe.each([
  ["bash", ".bashrc", "PROMPT_COMMAND='seen=$?'"],
  ["zsh", ".zshrc", "precmd() { seen=$? }"],
])("%s", (shell, file, prepare) => {
  const isSkipped = skipped(notInstalled(shell));

  it.skipIf(isSkipped)("ends by `set -e` only where it would end without us", () =>
    use(shell, async ({ run }) => {
      await run("set -e");
      expect(await run("! true")).toMatchObject({ state: "finished", exitCode: 1 });
      expect((await run("echo $?")).output.text).toBe("1\n");
      // They go through a file, and are kept out of the history.
      expect((await run("echo one\necho two")).output.text).toBe("one\ntwo\n");
      expect((await run("false")).state).toBe("ended");
    }),
  );

  it.skipIf(isSkipped)("hands the exit code on to what the person runs before each prompt", () =>
    use(
      shell,
      async ({ run }) => {
        for (const option of ["set +e", "set -e"]) {
          await run(option);
          await run("! true");
          expect((await run("echo $seen")).output.text).toBe("1\n");
        }
      },
      startWith(file, prepare),
    ),
  );

  it.skipIf(isSkipped)("springs a trap for the person's errors only", () =>
    use(shell, async ({ run }) => {
      await run("times=0; trap 'times=$((times + 1))' ERR");
      expect((await run("(exit 3)")).exitCode).toBe(3);
      expect((await run("echo $times")).output.text).toBe("1\n");
    }),
  );

  it.skipIf(isSkipped)("marks its prompts on the terminal where its output is sent elsewhere", () =>
    use(shell, async ({ run, folder, nonce }) => {
      await run("exec > log");
      expect(await run("echo one; false")).toMatchObject({
        exitCode: 1,
        isProven: true,
        output: { text: "" },
      });
      await run("exec > /dev/tty");
      expect((await run("echo two")).output.text).toBe("two\n");
      const log = readFileSync(join(folder, "log"), "utf8");
      // zsh sets the terminal's keys there.
      expect(log).toContain("one\n");
      expect(log).not.toContain(nonce);
    }),
  );

  it.skipIf(isSkipped)("stays at its prompt where its output comes from another process", () =>
    use(shell, async ({ run }) => {
      expect(await run("exec > >(tee log)")).toMatchObject({ exitCode: 0, output: { text: "" } });
      for (const text of ["one", "two"]) {
        const { exitCode, state } = await run(`echo ${text}; false`);
        expect({ exitCode, state }).toEqual({ exitCode: 1, state: "finished" });
      }
      const log = "until grep -q two log 2> /dev/null; do sleep 0.05; done; cat log > /dev/tty";
      expect((await run(log)).output.text).toContain("one\ntwo\n");
    }),
  );
});

describe.each(["bash", "zsh", "dash"])("%s with `set -e`", (shell) => {
  const isSkipped = skipped(notInstalled(shell));

  it.skipIf(isSkipped)("is not ended by a block whose last line only fails", () =>
    use(shell, async ({ run }) => {
      expect(await run("set -e\necho one\n[ -e /none ] && echo two")).toMatchObject({
        state: "finished",
        exitCode: 1,
        note: "",
        output: { text: "one\n" },
      });
      expect((await run("echo $?")).output.text).toBe("1\n");
      expect(await run("cat <<END\ntext\nEND\nif true; then ! true; fi")).toMatchObject({
        state: "finished",
        exitCode: 1,
        output: { text: "text\n" },
      });
      expect(await run("echo three\n(exit 0)")).toMatchObject({ exitCode: 0, output: { text: "three\n" } });
    }),
  );

  it.skipIf(isSkipped)("is ended by a line of a block that fails, as without us", () =>
    use(shell, async ({ run }) => {
      await run("set -e");
      expect(await run("echo one\nfalse\necho two")).toMatchObject({
        state: "ended",
        output: { text: "one\n" },
      });
    }),
  );

  it.skipIf(isSkipped)("tells the code of a block, whatever becomes of it", () =>
    use(shell, async ({ run }) => {
      for (const [block, exitCode] of [
        ["echo one\n(exit 3)", 3],
        ["echo one\nreturn 4\necho two", 4],
        ["echo one\nreturn 0\necho two", 0],
        ["echo \\\none \\", 0],
        ["echo one\n(exit 5) # the end", 5],
      ] as const)
        expect(await run(block), block).toMatchObject({ exitCode, output: { text: "one\n" } });
    }),
  );

  it.skipIf(isSkipped)("writes nothing of ours into a here-document that has no end", () =>
    use(shell, async ({ run, folder }) => {
      await run("cat > text <<END\none\ntwo");
      expect(readFileSync(join(folder, "text"), "utf8")).toBe("one\ntwo\n");
    }),
  );
});

it.each(["bash", "dash"])("%s traces nothing of ours behind a block", (shell) =>
  use(shell, async ({ run }) => {
    await run("set -x");
    const { output, exitCode } = await run("echo one\n(exit 3)");
    expect(output.text).toContain("one\n");
    expect(output.text).not.toContain("__atb");
    expect(exitCode).toBe(3);
  }),
);

describe.each(["bash", "zsh"])("%s with a trap for errors", (shell) => {
  it.skipIf(skipped(notInstalled(shell)))("springs it for no block as a whole", () =>
    use(shell, async ({ run }) => {
      await run("times=0; trap 'times=$((times + 1))' ERR");
      expect((await run("echo one\n[ -e /none ] && echo two")).exitCode).toBe(1);
      expect((await run("echo $times")).output.text).toBe("0\n");
    }),
  );
});

describe.each(["bash", "dash"])("%s whose standard error is sent elsewhere", (shell) => {
  it.skipIf(skipped(notInstalled(shell)))("keeps the secret out of it, and ends its commands", () =>
    use(shell, async ({ run, type, session, folder, nonce }) => {
      expect(await run("exec 2>log; false")).toMatchObject({ state: "finished", exitCode: 1 });
      const refused = await run("echo one", 500);
      expect(refused.state).toBe("refused");
      expect(refused.note).toContain("its prompt was changed");
      await type("echo typed; exec 2>/dev/tty\r");
      await eventually(() => session.phase === "prompt");
      expect(await run("echo two; (exit 3)")).toMatchObject({
        exitCode: 3,
        isProven: true,
        output: { text: "two\n" },
      });
      expect(readFileSync(join(folder, "log"), "utf8")).not.toContain(nonce);
    }),
  );
});

it.skipIf(skipped(notInstalled("zsh")))(
  "zsh draws no mark of its own behind output where a theme asks for it",
  () =>
    use(
      "zsh",
      async ({ run }) => {
        for (let times = 0; times < 2; times++) {
          expect(await run("printf abc")).toMatchObject({ output: { text: "abc", isExact: true } });
          expect(await run("true")).toMatchObject({ output: { text: "", isExact: true } });
        }
        expect((await run("setopt prompt_sp; printf abc")).output.isExact).toBe(false);
      },
      startWith(
        ".zshrc",
        "theme() { unsetopt localoptions; setopt prompt_cr prompt_sp }; precmd_functions+=(theme)",
      ),
    ),
);

it.each(["bash", "zsh"])("%s: what marks its own end and goes on is not exact", (shell) => {
  if (skipped(notInstalled(shell))) return;
  return use(shell, async ({ run }) => {
    const { output, exitCode } = await run(
      `printf "\\e]633;D;0;%s\\a" $__atb_nonce; sh -c 'echo still; exit 3'`,
    );
    expect(output.isExact).toBe(false);
    expect(exitCode).toBe(3);
  });
});

it("python marks its prompts on the terminal where its output is sent elsewhere", () =>
  use("python", async ({ run, folder, nonce }) => {
    await run("import sys; sys.stdout = open('log', 'w')");
    expect(await run("print('one')")).toMatchObject({ exitCode: 0, isProven: true, output: { text: "" } });
    await run("sys.stdout.close(); sys.stdout = sys.__stdout__");
    expect((await run("print('two')")).output.text).toBe("two\n");
    expect(readFileSync(join(folder, "log"), "utf8")).toBe("one\n");
    expect(nonce).not.toBe("");
  }));

it.skipIf(skipped(notInstalled("sqlite3")))(
  "sqlite3 is driven also where its start file names other prompts",
  () =>
    use(
      "sqlite3",
      async ({ run }) => {
        expect((await run("select 2 + 3 as sum;")).output.text).toBe("sum\n5\n");
        expect((await run("select (1")).isIncomplete).toBe(true);
        expect((await run("select 'fine' as how;")).output.text).toBe("how\nfine\n");
      },
      // Its `.sqliterc` it looks for where the system says that its user is at home.
      { ...startWith("start", '.prompt "X> " "Y> "\n.headers on'), args: ["-init", "start"] },
    ),
);

it.skipIf(skipped(notInstalled("fish")))(
  "fish keeps its marks with whatever prompt a person gives themselves",
  () =>
    use("fish", async ({ run }) => {
      for (const change of [
        "function fish_prompt; echo 'P> '; end",
        "functions -c fish_prompt before; function fish_prompt; before; echo '(env) '; end",
        "functions -e fish_prompt; functions -c before fish_prompt",
        "functions -e fish_prompt",
      ]) {
        expect((await run(change)).state, change).toBe("finished");
        expect(await run("echo one; false"), change).toMatchObject({
          exitCode: 1,
          output: { text: "one\n" },
        });
      }
    }),
);
