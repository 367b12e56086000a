/** The secret of the marks stands neither in what a shell traces, nor in what programs that it starts inherit. */
import { describe, expect, it } from "vitest";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
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

const isThere = (name: string): boolean => !skipped(notInstalled(name));

it.each(["bash", "zsh", "dash"].filter(isThere))("%s traces none of the marks' own commands", (name) =>
  use(name, async (opened) => {
    await opened.run("set -x");
    for (let times = 0; times < 2; times++) {
      const { output, exitCode } = await opened.run("(exit 3)");
      expect(output.text.trim()).toMatch(/^\+.*exit 3$/);
      expect(exitCode).toBe(3);
    }
    expect((await opened.run("set +x; echo $?")).output.text).toContain("0");
  }),
);

describe.each(["bash", "dash"])("%s", (name) => {
  it.skipIf(skipped(notInstalled(name)))("gives its prompts to others without it", () =>
    use(name, async (opened) => {
      await opened.run("export PS1 PS2");
      const { output } = await opened.run("env");
      expect(output.text).toContain("PS1=");
      expect(output.text).not.toContain(opened.nonce);
      const inside = await opened.run("PROMPT_COMMAND= bash --norc -i", 1000);
      expect(inside.state).toBe("running");
      expect(await opened.session.sendInput("exit 4")).toBeNull();
      expect((await opened.session.wait({ timeoutMs: 60_000 }))?.exitCode).toBe(4);
    }),
  );
});

const INHERITED = { environment: { __atb_nonce: "inherited" } };

function startWith(file: string, line: string): OpeningOptions {
  return { prepare: (folder) => writeFileSync(join(folder, file), `${line}\n`) };
}

const KEPT: readonly [name: string, what: string, options: OpeningOptions][] = [
  ["bash", "has a variable of its name", INHERITED],
  ["zsh", "has a variable of its name", INHERITED],
  ["dash", "has a variable of its name", INHERITED],
  ["fish", "has a variable of its name", INHERITED],
  ["bash", "exports what it sets", startWith(".bashrc", "set -a")],
  ["zsh", "exports what it sets", startWith(".zshrc", "setopt all_export")],
  ["dash", "exports what it sets", { args: ["-a"] }],
];

it.each(KEPT.filter(([name]) => isThere(name)))(
  "%s that %s keeps it out of the environment",
  (name, _, options) =>
    use(
      name,
      async (opened) => {
        const { output, exitCode } = await opened.run("env");
        // Not the environment itself: a failure would print it.
        expect(output.text.includes("HOME=")).toBe(true);
        expect(output.text.includes(opened.nonce)).toBe(false);
        expect(exitCode).toBe(0);
      },
      options,
    ),
);

it("bash marks its prompts also where it expands no variables in them", () =>
  use("bash", async (opened) => {
    await opened.run("shopt -u promptvars");
    expect(await opened.run("echo one")).toMatchObject({ state: "finished", output: { text: "one\n" } });
    expect(await opened.run("false")).toMatchObject({ exitCode: 1, isProven: true });
  }));

it("python shows the value of a block's last expression", () =>
  use("python", async (opened) => {
    expect((await opened.run("def f(n):\n    return n + 2\nf(3)")).output.text).toBe("5\n");
    expect((await opened.run("x = f(4)\nx")).output.text).toBe("6\n");
    expect((await opened.run("_")).output.text).toBe("6\n");
    expect((await opened.run("if True:\n    print(1)")).output.text).toBe("1\n");
  }));
