/**
 * Whatever is run in a live interpreter or debugger, its output is exact or marked as not exact, and the next command gets its own. Python
 * is in `torture.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../../support/hub-home.js";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import {
  findMissing,
  INTERPRETERS,
  openInterpreter,
  runSound,
  type Interpreter,
} from "../../../../support/program/interpreters.js";
import { skipped } from "../../../../support/skipped.js";

/** Some megabytes are drawn on the emulated screen, on a busy machine. */
const LONG_MS = 180_000;

interface Tortured extends Interpreter {
  /** Prints the numbers from 1 to 300,000, each in a row. */
  readonly count: string;
  /** Prints `abc` without a line feed. */
  readonly noLineFeed: readonly [command: string, output: string];
  /** Prints what looks like its prompt, waits, and prints `real`. */
  readonly imitated: readonly [command: string, output: string];
  readonly open: readonly string[];
  /** Ends the interpreter. */
  readonly quit: string;
}

const TORTURED: readonly Tortured[] = [
  {
    ...INTERPRETERS.node,
    count: "for (let n = 1; n <= 300000; n++) console.log(n)",
    noLineFeed: ['void process.stdout.write("abc")', "abcundefined\n"],
    imitated: [
      'process.stdout.write("> "); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500); console.log("real")',
      "> real\nundefined\n",
    ],
    open: ["print((1", "if (true) {", "`text"],
    quit: "process.exit(0)",
  },
  {
    ...INTERPRETERS.ruby,
    count: "puts (1..300000).to_a",
    noLineFeed: ['print "abc"; $stdout.flush', "abc=> #<IO:<STDOUT>>\n"],
    imitated: [
      'print "irb(main):001> "; $stdout.flush; sleep 0.5; puts "real"',
      "irb(main):001> real\n=> nil\n",
    ],
    open: ["puts((1", "if true", "'text"],
    quit: "exit!",
  },
  {
    ...INTERPRETERS.lua,
    count: "for n = 1, 300000 do print(n) end",
    noLineFeed: ['io.write("abc"); io.flush()', "abc"],
    imitated: ['io.write("> "); io.flush(); os.execute("sleep 0.5"); print("real")', "> real\n"],
    open: ["print((1", "if true then", "x = [[text"],
    quit: "os.exit(0)",
  },
  {
    ...INTERPRETERS.sqlite3,
    count:
      "with recursive c(n) as (select 1 union all select n + 1 from c where n < 300000) select n from c;",
    noLineFeed: ["select 'abc';", "abc\n"],
    imitated: ["select 'sqlite> '; select 'real';", "sqlite> \nreal\n"],
    open: ["select (1", "select 'text"],
    quit: ".quit",
  },
  {
    ...INTERPRETERS.psql,
    count: "copy (select generate_series(1, 300000)) to stdout;",
    noLineFeed: ["\\echo -n abc", "abc"],
    imitated: ["\\! printf 'postgres=# '; sleep 0.5; echo real", "postgres=# real\n"],
    open: ["select (1", "select 'text", "copy (select 1) to stdout"],
    quit: "\\q",
  },
  {
    ...INTERPRETERS.gdb,
    count: "python print('\\n'.join(str(n) for n in range(1, 300001)))",
    noLineFeed: ["echo abc", "abc"],
    imitated: [
      "python import time; print('(gdb) ', end='', flush=True); time.sleep(0.5); print('real')",
      "(gdb) real\n",
    ],
    open: ["define never", "python"],
    quit: "quit",
  },
  {
    ...INTERPRETERS.perl,
    count: 'print "$_\\n" for 1..300000',
    noLineFeed: ['print "abc"', "abc\n"],
    imitated: [
      '$| = 1; print "  DB<1> "; $end = time + 1; 1 while time <= $end; print "real\\n"',
      "  DB<1> real\n",
    ],
    open: [],
    quit: "q",
  },
  {
    ...INTERPRETERS.guile,
    count: "(do ((n 1 (+ n 1))) ((> n 300000)) (display n) (newline))",
    noLineFeed: ['(display "abc")', "abc"],
    imitated: [
      '(begin (display "scheme@(guile-user)> ") (force-output) (let ((end (+ 1 (current-time)))) (let loop () (if (<= (current-time) end) (loop)))) (display "real") (newline))',
      "scheme@(guile-user)> real\n",
    ],
    open: ["(display (1", '(display "text'],
    quit: "(exit 0)",
  },
  {
    ...INTERPRETERS.sbcl,
    count: '(loop for n from 1 to 300000 do (format t "~a~%" n))',
    noLineFeed: ['(progn (princ "abc") (values))', "abc\n"],
    imitated: ['(progn (princ "* ") (finish-output) (sleep 0.5) (write-line "real") (values))', "* real\n"],
    open: ["(print (1", '(print "text'],
    quit: "(exit)",
  },
  {
    ...INTERPRETERS.racket,
    count: "(for ([n (in-range 1 300001)]) (displayln n))",
    noLineFeed: ['(display "abc")', "abc"],
    imitated: ['(begin (display "> ") (flush-output) (sleep 0.5) (display "real") (newline))', "> real\n"],
    open: ["(display (1", '(display "text'],
    quit: "(exit 0)",
  },
];

for (const interpreter of TORTURED) {
  const { name, sound, count, noLineFeed, imitated, open, endless, quit } = interpreter;
  describe.skipIf(skipped(findMissing(interpreter)))(name, () => {
    let program: TestProgram;
    beforeAll(async () => void (program = await openInterpreter(interpreter)));
    afterAll(() => program.close());

    async function expectSound(): Promise<void> {
      expect(await runSound(program, interpreter)).toMatchObject({ isSound: true });
    }

    it("a long output is whole in its file, and both ends are in the result", async () => {
      const { output } = await program.run(count, LONG_MS);
      expect(output.isExact).toBe(true);
      expect(output.text.startsWith("1\n2\n3\n")).toBe(true);
      expect(output.text).toContain("\n299999\n300000\n");
      expect(output.cut).toBeGreaterThan(0);
      await expectSound();
    });

    it("an output without a line feed is exact, and so is the next one", async () => {
      expect((await program.run(noLineFeed[0])).output.text).toBe(noLineFeed[1]);
      await expectSound();
    });

    it("an imitated prompt ends nothing", async () => {
      expect((await program.run(imitated[0])).output.text.trimEnd()).toBe(imitated[1].trimEnd());
      await expectSound();
    });

    it("what is not complete is given up, and said to be", async () => {
      for (const line of open) {
        // Where brackets are counted before, nothing is typed.
        const { isIncomplete, state, note } = await program.run(line);
        const isTold = isIncomplete || (state === "refused" && note.includes("is missing"));
        expect({ line, isTold }).toEqual({ line, isTold: true });
      }
      await expectSound();
    });

    it("the time limit leaves a command running, and an interrupt leaves it sound", async () => {
      expect((await program.run(endless, 1500)).state).toBe("running");
      expect(await program.session.press("interrupt")).toBeNull();
      expect(await program.session.wait({ timeoutMs: 60_000 })).toMatchObject({ isInterrupted: true });
      await expectSound();
    });

    it("a line of a person comes first", async () => {
      await program.type(sound[0]);
      await eventually(() => program.screen.view().lines.some(({ text }) => text.endsWith(sound[0])));
      const ours = program.run(sound[0]);
      await program.type("\r");
      expect((await ours).output.text.trimEnd()).toBe(sound[1].trimEnd());
      await expectSound();
    });

    it("ends its command when it ends", async () => {
      const own = await openTestProgram(name);
      expect((await own.run(quit)).state).toBe("ended");
      await own.close();
    });
  });
}
