/** A command that its program does not run has no exit code, is said to be none, and is never joined to the next. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../../support/hub-home.js";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import { notInstalled, skipped } from "../../../../support/skipped.js";

const DID_NOT_RUN = "the program did not run it";

function withProgram(name: string, define: (program: () => TestProgram) => void): void {
  describe.skipIf(skipped(notInstalled(name)))(name, () => {
    let program: TestProgram;
    beforeAll(async () => void (program = await openTestProgram(name)));
    afterAll(() => program.close());
    define(() => program);
  });
}

for (const shell of ["bash", "zsh"])
  withProgram(shell, (program) => {
    it("shows what it says of a line that it does not run, without a code", async () => {
      const { exitCode, note, output } = await program().run("fi");
      expect({ exitCode, note }).toEqual({ exitCode: null, note: DID_NOT_RUN });
      expect(output.text).toMatch(new RegExp(`^${shell}: .*error near .*fi'\n$`));
      expect(await program().run("(exit 3)")).toMatchObject({ exitCode: 3, note: "" });
    });

    it("gives a blank command no code of an earlier one", async () => {
      await program().run("(exit 3)");
      expect(await program().run("   ")).toMatchObject({ exitCode: null, note: "", state: "finished" });
    });

    it("runs a command with a ! as it was given, and takes nothing from the history", async () => {
      await program().run("true before");
      for (const text of ["echo 'a' wow!!", "echo !nosuch", 'echo "hi!there"']) {
        const { output, exitCode } = await program().run(text);
        const shown = text.replace(/^echo /u, "").replaceAll(/['"]/gu, "");
        expect({ text: output.text, exitCode }).toEqual({ text: `${shown}\n`, exitCode: 0 });
      }
      expect((await program().run("^true^false")).output.text).toContain("not found");
    });
  });

for (const [name, late, next] of [
  ["bash", "(sleep 0.5; echo LA''TE) & true", "echo x"],
  ["zsh", "(sleep 0.5; echo LA''TE) & true", "echo x"],
  ["python", "import threading; threading.Timer(0.5, lambda: print('LA' + 'TE')).start()", "print('x')"],
] as const)
  withProgram(name, (program) => {
    it("shows apart what is printed at the prompt after the command that began it", async () => {
      await program().run(late);
      await eventually(() =>
        program()
          .screen.view()
          .lines.some(({ text }) => text.includes("LATE")),
      );
      const { output, outOfBand } = await program().run(next);
      expect(outOfBand).toContain("LATE");
      expect(output.text.endsWith("x\n")).toBe(true);
      expect((await program().run(next)).outOfBand).toBe("");
    });
  });

for (const shell of ["bash", "zsh", "fish"])
  withProgram(shell, (program) => {
    it("types nothing behind an answer of the terminal that nobody has read, and an interrupt drops it", async () => {
      await program().run("printf '\\033[6n\\033[c'");
      await eventually(() =>
        program()
          .screen.view()
          .lines.some(({ text }) => /\d[Rc]_?\s*$/u.test(text)),
      );
      const refused = await program().run("echo joined", 500);
      expect(refused).toMatchObject({ state: "refused", exitCode: null });
      expect(refused.note).toContain("an answer of the terminal");
      expect(await program().session.press("interrupt")).toBeNull();
      expect(await program().run("echo alone")).toMatchObject({ exitCode: 0, output: { text: "alone\n" } });
      expect(await program().session.press("interrupt")).toBe("nothing is running");
    });
  });

withProgram("node", (program) => {
  it("runs a command of its own, of which it tells no code", async () => {
    await program().run("null.x");
    for (const [command, shown] of [
      [".help", "Print this help message"],
      [".save session.js", "Session saved to: session.js"],
      [".save no/such/folder", "Failed to save: no/such/folder"],
      [".break", ""],
    ] as const) {
      const { output, ...result } = await program().run(command);
      expect(result).toMatchObject({ state: "finished", exitCode: null, note: "" });
      expect(output.text).toContain(shown);
    }
    expect(await program().run(".nosuch")).toMatchObject({ exitCode: null, note: DID_NOT_RUN });
    expect(await program().run("'fine'")).toMatchObject({ exitCode: 0, output: { text: "'fine'\n" } });
  });

  it("takes all that it loads line by line for one command", async () => {
    writeFileSync(
      join(program().folder, "lines.js"),
      "var one = 1\nfunction f() {\n  return one + 1;\n}\nf()\n",
    );
    const { output, ...result } = await program().run(".load lines.js");
    expect(result).toMatchObject({ state: "finished", isIncomplete: false, note: "" });
    expect(output.text).toMatch(/^2$/mu);
    expect(await program().run("f() + 1")).toMatchObject({
      exitCode: 0,
      outOfBand: "",
      output: { text: "3\n" },
    });
  });
});

withProgram("bash", (program) => {
  const UNTOLD = "the program did not tell how it ended";

  it("ends a line of which it marks neither a begin nor an end", async () => {
    await program().run("histchars='%^#'");
    const { output, ...result } = await program().run("echo %nosuch");
    expect(result).toMatchObject({ state: "finished", exitCode: null, note: DID_NOT_RUN });
    expect(output.text).toBe("bash: %nosuch: event not found\n");
    await program().run("unset histchars");
  });

  it("ends a command of which it marks no end, and claims neither a code nor a directory", async () => {
    const prompt = (await program().run("declare -p PROMPT_COMMAND")).output.text;
    await program().run("PROMPT_COMMAND=");
    const { output, ...result } = await program().run("cd /; echo there");
    expect(result).toMatchObject({ state: "finished", exitCode: null, cwd: null, note: UNTOLD });
    expect(output).toMatchObject({ text: "there\n", isExact: true });
    await program().run(prompt.replace("declare -- ", ""));
    expect(await program().run("(exit 4)")).toMatchObject({ exitCode: 4, cwd: "/", note: "" });
  });

  it("waits for a command that reads behind a prompt that was drawn anew, and lets it be interrupted", async () => {
    const begun = await program().run("printf '%s' \"${PS1@P}\"; cat", 2000);
    expect(begun.state).toBe("running");
    expect(await program().session.press("eof")).toBe("nothing is running");
    expect(await program().session.press("interrupt")).toBeNull();
    expect(await program().session.wait({ timeoutMs: 60_000 })).toMatchObject({ exitCode: 130 });
  });

  it("takes no input at a prompt that was drawn anew while a command runs", async () => {
    const begun = await program().run("printf '%s' \"${PS1@P}\"; sleep 60", 1500);
    expect(begun.state).toBe("running");
    expect(program().session.phase).toBe("prompt");
    expect(await program().session.sendInput("rm -r x")).toContain("at its own prompt");
    await program().terminal.write(Buffer.from("\x03"));
    expect(await program().session.wait({ timeoutMs: 60_000 })).toMatchObject({ exitCode: 130 });
  });
});

withProgram("fish", (program) => {
  it("is brought back from a line that it refuses, and the next command is whole", async () => {
    for (const refused of ["end", "echo A )"]) {
      const { state, exitCode, note, output } = await program().run(refused);
      expect({ state, exitCode, note }).toEqual({ state: "finished", exitCode: null, note: DID_NOT_RUN });
      expect(output.text).toContain("fish: ");
      expect(await program().run("echo ok")).toMatchObject({ exitCode: 0, output: { text: "ok\n" } });
    }
  });

  it("is brought back from a line that it holds to be unfinished", async () => {
    for (const open of ["for i in 1 2", "echo 'a"]) {
      const { state, exitCode, isIncomplete } = await program().run(open, 20_000);
      expect({ state, exitCode, isIncomplete }).toEqual({
        state: "finished",
        exitCode: null,
        isIncomplete: true,
      });
      expect(await program().run("echo ok")).toMatchObject({ exitCode: 0, output: { text: "ok\n" } });
    }
  });

  it("gets nothing typed behind a person's line that it has refused", async () => {
    const { terminal, session } = program();
    let printed = "";
    terminal.onData((chunk) => void (printed += Buffer.from(chunk).toString()));
    await program().type("end\r");
    // Until fish has put it back behind its next prompt.
    await eventually(() => /Refused=1;[^]*;B;\w+\x07end/.test(printed));
    expect(await program().run("echo ours", 1500)).toMatchObject({
      state: "refused",
      note: "a line that the program refused stands at its prompt",
    });
    await program().type("\x15");
    expect(await program().run("echo ours")).toMatchObject({ exitCode: 0, output: { text: "ours\n" } });
    expect(session.phase).toBe("prompt");
  });
});

withProgram("sqlite3", (program) => {
  it("is brought back from whatever is unfinished, and carries none of it out", async () => {
    await program().run("create table x(a);");
    const insert = "insert into x values(1)";
    const trigger = "create trigger t after insert on x begin";
    for (const open of [
      insert,
      `${insert}, ('a`,
      `${insert}, ("a`,
      `${insert} /* a`,
      `${insert} [a`,
      trigger,
    ]) {
      const { state, isIncomplete, note } = await program().run(open);
      expect({ open, state, isIncomplete, note }).toEqual({
        open,
        state: "finished",
        isIncomplete: true,
        note: "",
      });
    }
    expect((await program().run("select count(*) from x;")).output.text).toBe("0\n");
  });
});

withProgram("node", (program) => {
  it("gives an incomplete command no code of the keys that end it", async () => {
    expect(await program().run("({a:1}")).toMatchObject({ isIncomplete: true, exitCode: null });
    expect(await program().run("1 + 1")).toMatchObject({ isIncomplete: false, exitCode: 0 });
  });
});

withProgram("gdb", (program) => {
  it("shows nothing of the keys that bring it back from what is not complete", async () => {
    expect(await program().run("if 1")).toMatchObject({ isIncomplete: true, output: { text: "" } });
  });
});

withProgram("sqlite3", (program) => {
  it("shows what the program says of the keys that bring it back, and not the keys", async () => {
    const { isIncomplete, output } = await program().run("select 'text");
    expect(isIncomplete).toBe(true);
    expect(output.text).toMatch(/^Parse error[^]*error here/);
  });
});

it.skipIf(skipped(notInstalled("sqlite3")))(
  "sqlite3 tells that a part of what was not complete may have run",
  async () => {
    const opened = await openTestProgram("sqlite3");
    try {
      await opened.run("create table d (a); insert into d values (1), (2);");
      expect(await opened.run("delete from d; select (1")).toMatchObject({
        isIncomplete: true,
        note: "what of it was complete may have run",
      });
      expect((await opened.run("select count(*) from d;")).output.text).toBe("0\n");
    } finally {
      await opened.close();
    }
  },
);
