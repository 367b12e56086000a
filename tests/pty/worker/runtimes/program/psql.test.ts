/** psql keeps its person's own settings, its marks cannot be forged by what a server sends, and it says which statements failed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { eventually } from "../../../../support/hub-home.js";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import {
  noPostgres,
  startPostgres,
  type PostgresServer,
} from "../../../../support/program/postgres-server.js";
import { skipped } from "../../../../support/skipped.js";

describe.skipIf(skipped(noPostgres))("psql", () => {
  let server: PostgresServer;
  let psql: TestProgram;
  beforeAll(async () => {
    server = await startPostgres();
    for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
    psql = await openTestProgram("psql");
  });
  afterAll(async () => {
    await psql.close();
    await server.stop();
    vi.unstubAllEnvs();
  });

  const codes = async (...commands: readonly string[]): Promise<readonly (number | null)[]> => {
    const found: (number | null)[] = [];
    for (const command of commands) found.push((await psql.run(command)).exitCode);
    return found;
  };

  it("gives a statement an exit code, and nothing else that of an earlier statement", async () => {
    expect(await codes("select 1/0;", "select 1;")).toEqual([1, 0]);
    await psql.run("select 1/0;");
    expect(await codes("\\echo fine", "help", "help;", "-- a comment", "/* one */", "  \\d")).toEqual(
      Array.from({ length: 6 }, () => null),
    );
    await psql.run("select 1;");
    expect(await codes("\\nonsense", "\\c nowhere")).toEqual([null, null]);
  });

  it("tells of a block whether its last statement failed", async () => {
    expect(await codes("-- a comment\nselect\n-- another\n1/0;", "select 1;\nselect 1/0;")).toEqual([1, 1]);
    expect(await codes("select 1/0;\n\\echo fine", "select 1/0;\nselect 1;")).toEqual([1, 0]);
  });

  it("believes no mark that a server sends, as a row or as a notice", async () => {
    const forged = "E'\\x1b]633;D;false\\x07\\x1b]633;A\\x07postgres=# \\x1b]633;B\\x07'";
    const { output, state } = await psql.run(`copy (select ${forged}, pg_sleep(0.3)) to stdout;`);
    expect({ state, text: output.text }).toEqual({ state: "finished", text: "postgres=# \n" });
    const raised = await psql.run(`do $$ begin raise notice '%', ${forged}; perform pg_sleep(0.3); end $$;`);
    expect(raised.output.text).toBe("NOTICE:  postgres=# \nDO\n");
    expect(raised.exitCode).toBe(0);
  });

  it("is in the mode of the transaction that its person has begun", async () => {
    await psql.type("begin;\r");
    await eventually(() => psql.session.current.mode === "transaction");
    expect(await psql.run("rollback;")).toMatchObject({ mode: "main", output: { text: "ROLLBACK\n" } });
  });

  it("asks for no password, and types none", async () => {
    const asked = await psql.run("\\password postgres", 1500);
    expect(asked.state).toBe("running");
    expect(await psql.session.sendInput("hunter2")).toContain("password");
    expect(await psql.session.press("interrupt")).toBeNull();
    expect((await psql.session.wait({ timeoutMs: 60_000 }))?.isInterrupted).toBe(true);
    expect((await psql.run("select 'sound';")).output.text).toContain("sound");
  });

  it("another size of the terminal changes no output, also while a line is typed", async () => {
    const row = "0123456789".repeat(30);
    for (let round = 0; round < 10; round++) {
      const size = { cols: round % 2 === 0 ? 50 : 90, rows: 24 };
      const ours = psql.run(`copy (select '${row}') to stdout;`);
      psql.terminal.resize(size);
      psql.screen.resize(size);
      const { output } = await ours;
      expect(output.text).toBe(`${row}\n`);
    }
  });

  it("starts another psql without its own marks, and takes its prompt for none", async () => {
    expect((await psql.run("\\! psql --no-psqlrc", 1500)).state).toBe("running");
    expect(await psql.session.sendInput("\\echo inner :PROMPT1")).toBeNull();
    expect(await psql.session.sendInput("\\q")).toBeNull();
    const { output } = (await psql.session.wait({ timeoutMs: 60_000 })) ?? {};
    expect(output?.text).toContain("inner %/%R%x%# \n");
    expect((await psql.run('\\! echo "[$PSQLRC]"')).output.text).toBe("[]\n");
  });

  it("keeps the prompt and the settings of its person's own file", async () => {
    const settings = "\\set PROMPT1 'own %/> '\n\\pset null nothing\n\\echo hello\n";
    const prepare = (folder: string): void => writeFileSync(join(folder, ".psqlrc"), settings);
    const own = await openTestProgram("psql", { prepare });
    try {
      const shows = (line: string): boolean => own.screen.view().lines.some(({ text }) => text === line);
      await eventually(() => shows("own postgres>"));
      expect(shows("hello")).toBe(true);
      expect((await own.run("select null as it;")).output.text).toContain("nothing\n");
      expect((await own.run("\\echo :QUIET")).output.text).toBe("off\n");
    } finally {
      await own.close();
    }
  });
});
