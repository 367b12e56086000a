/** Real programs from a chat, in Telegram and in Slack alike: a script that crashed, a database, and a command that asks. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noPostgres, startPostgres, type PostgresServer } from "../support/program/postgres-server.js";
import { CHATS, withChat } from "../support/rig/chat-console.js";
import { notInstalled, skipped } from "../support/skipped.js";

const CRASH = `def ratio(parts):
    total = sum(parts)
    return parts[0] / total

print(ratio([4, -4]))
`;
const COLUMNS = Array.from({ length: 24 }, (_, n) => `column_number_${n + 1}`);

describe.concurrent.each(CHATS)("in %s", (where) => {
  describe.skipIf(skipped(notInstalled("python3")))("a script that crashed is debugged by pdb", () => {
    it("after the crash", () =>
      withChat(where, async ({ rig, open }) => {
        const path = join(rig.home.folder, "crash.py");
        writeFileSync(path, CRASH);
        const chat = await open("py", "python3", path);
        await chat.until(() => chat.run.text.includes("ZeroDivisionError"), "the crash");
        expect(await chat.say("import pdb; pdb.pm()")).toMatch(
          /mode pdb\n> .*crash\.py\(3\)ratio\(\)\n-> return/,
        );
        expect(await chat.say("p parts, total")).toMatch(/mode pdb\n\(\[4, -4\], 0\)$/);
        expect(await chat.say("u")).toMatch(/crash\.py\(5\)<module>\(\)\n-> print/);
        expect(await chat.say("mode")).toMatch(/^py: python · mode pdb/);
        expect(await chat.say("q")).toMatch(
          /^✅ py: “q”\nexit code 0 · .* · mode main\nIt printed nothing\.$/,
        );
        expect(await chat.say("1 + 1")).toMatch(/\n2$/);
      }));

    it("from its first line on", () =>
      withChat(where, async ({ rig, open }) => {
        const path = join(rig.home.folder, "crash.py");
        writeFileSync(path, CRASH);
        const chat = await open("py", "python3", "-m", "pdb", path);
        await chat.until(() => chat.run.text.includes("(Pdb) "), "the debugger");
        expect(await chat.say("b ratio")).toMatch(/^▪️ py: “b ratio”\n.* · mode pdb\nBreakpoint 1 at /);
        expect(await chat.say("c")).toMatch(/crash\.py\(2\)ratio\(\)\n-> total = sum\(parts\)$/);
        expect(await chat.say("n")).toMatch(/-> return parts\[0\] \/ total$/);
        expect(await chat.say("n")).toMatch(/\nZeroDivisionError: division by zero\n/);
        expect(await chat.say("c")).toMatch(/Traceback[^]*Uncaught exception\. Entering post mortem/);
        expect(await chat.say("p total")).toMatch(/mode pdb\n0$/);
        expect(await chat.say("q")).toMatch(/will be restarted/);
        expect(await chat.say("q")).toMatch(/mode main/);
      }));
  });

  describe.skipIf(skipped(noPostgres))("a database is asked by psql", () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());

    it("with a table wider than the window, blocks, errors and transactions", () =>
      withChat(where, async ({ open }) => {
        const { PGHOST = "" } = server.environment;
        const chat = await open("db", "psql", "-h", PGHOST, "-U", "postgres", "postgres");
        expect(await chat.say(`create table wide (${COLUMNS.join(" text, ")} text);`)).toMatch(
          /^✅ db: “create table wide [^]*\nCREATE TABLE$/,
        );
        const values = COLUMNS.map((_, n) => `'row ' || n || ', cell ${n + 1}'`).join(", ");
        await chat.say(`insert into wide select ${values} from generate_series(1, 3) n;`);

        const table = await chat.say("select * from wide;");
        // No row is broken or cut at the window's edge, and all of it is in one block.
        const row = COLUMNS.map((_, n) => `row 2, cell ${n + 1}`).join(" *\\| ");
        expect(table).toMatch(new RegExp(`\\n ${row} *\\n`));
        expect(table).toMatch(/\(3 rows\)$/);
        expect(chat.newestBlock).toBe(table.slice(table.indexOf(" column_number_1 ")));
        expect(await chat.say("\\x")).toMatch(/^▪️ db: “\\x”\n.*\nExpanded display is on\.$/);
        expect(await chat.say("select * from wide limit 1;")).toMatch(
          /-\[ RECORD 1 \]-+\+-+\ncolumn_number_1 {2}\| row 1, cell 1 *\ncolumn_number_2 /,
        );
        await chat.say("\\x");
        expect(await chat.say("\\d wide")).toMatch(/Table "public\.wide"[^]*\n column_number_24 \| text/);

        expect(await chat.say("select count(*)\nfrom wide\nwhere column_number_1 like '%1%';")).toMatch(
          /^✅ [^]*\n {5}3\n\(1 row\)$/,
        );
        expect(await chat.say("select * from nowhere;")).toMatch(
          /^❌ db: .*\nexit code 1 · .*\nERROR: {2}relation "nowhere" does not exist\nLINE 1: .*\n {22}\^$/,
        );
        expect(await chat.say("select *\nfrom")).toMatch(/^⚠️ [^]*\nThe command was not complete\.$/);
        expect(await chat.say("begin;")).toMatch(/mode transaction/);
        expect(await chat.say("select 1/0;")).toMatch(/^❌ [^]*mode failed-transaction/);
        expect(await chat.say("rollback;")).toMatch(/mode main/);

        expect(await chat.say("select * from wide, generate_series(1, 100);")).toMatch(
          /characters in the middle are left out\.[^]*\(300 rows\)$/,
        );
        const lines = (await chat.file("output.txt")).toString().split("\n");
        expect(lines[0]).toMatch(/^ column_number_1 .* column_number_24 /);
        expect(lines.at(-1)).toBe("(300 rows)");
      }));
  });

  it("what a command asks is a card, its answer by tap reaches it once, and its end comes", () =>
    withChat(where, async ({ rig, open, tap }) => {
      const chat = await open("work", "bash", "--norc");
      const asks = `printf "Overwrite? [y/N] "; read a; echo "$a" >> answers; echo "told $a"`;
      chat.send(`sh -c '${asks}'`);
      expect(await chat.next(/^⏳/)).toMatch(
        /^⏳ work: “sh -c .*” goes on\. Its end comes here once it is seen\./,
      );
      // It may be meant as the answer, so it is no command.
      chat.send("touch made");
      expect(await tap("work", 1)).toBe("✅ Yes, by Ara, confirmed");
      expect(await chat.next(/^✅ work: “sh -c/)).toMatch(
        /\nexit code 0 .*\nOverwrite\? \[y\/N\] y\ntold y$/,
      );
      expect(readFileSync(join(rig.home.folder, "answers"), "utf8")).toBe("y\n");
      expect(existsSync(join(rig.home.folder, "made"))).toBe(false);
    }));
});
