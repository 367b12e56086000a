/**
 * What goes on besides a command of an interpreter: a thread or a job that prints later, at the prompt or while another command runs, and a
 * command that reads a line from the terminal.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../../support/hub-home.js";
import {
  findMissing,
  INTERPRETERS,
  openInterpreter,
  runSound,
  type InterpreterName,
} from "../../../../support/program/interpreters.js";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import { notInstalled, skipped } from "../../../../support/skipped.js";

interface Meanwhile {
  /** Begins what prints `from behind` once there is a file `go`. */
  readonly later: string;
  /** Begins what prints `from behind`, waits for its end, and prints `done`. */
  readonly joined: string;
  /** Asks `name? `, reads a line, and prints `hello` and the line. */
  readonly reads: string;
}

// In pieces: the echo of the command is not its output.
const JOB = "(until [ -e go ]; do sleep 0.05; done; echo from beh${none}ind) &";
const JOINED = "echo from beh${none}ind & wait; echo done";
const READ = "printf 'name? '; read name; echo \"hello $name\"";

const MEANWHILE: Readonly<Record<InterpreterName, Meanwhile>> = {
  python: {
    later:
      'import threading, time, os; go = lambda: os.path.exists("go") or time.sleep(0.05) or go(); threading.Thread(target=lambda: print("from beh" + "ind", flush=True) if go() else 0).start()',
    joined:
      't = threading.Thread(target=lambda: print("from beh" + "ind", flush=True)); t.start(); t.join(); print("done")',
    reads: 'print("hello " + input("name? "))',
  },
  node: {
    later:
      'void (() => { const t = setInterval(() => { if (fs.existsSync("go")) { clearInterval(t); console.log("from beh" + "ind"); } }, 50); })()',
    joined:
      'await new Promise((done) => setTimeout(() => done(console.log("from beh" + "ind")), 50)); console.log("done")',
    reads:
      'await new Promise((done) => require("node:readline").createInterface(process.stdin, process.stdout).question("name? ", (name) => done(console.log("hello " + name))))',
  },
  ruby: {
    later: 'Thread.new { sleep 0.05 until File.exist?("go"); puts "from beh" + "ind" }; nil',
    joined: 'Thread.new { puts "from beh" + "ind" }.join; puts "done"',
    reads: 'print "name? "; $stdout.flush; puts "hello " + $stdin.gets',
  },
  lua: {
    later: `os.execute([[${JOB}]])`,
    joined: `os.execute([[${JOINED}]])`,
    reads: 'io.write("name? "); io.flush(); print("hello " .. io.read())',
  },
  sqlite3: { later: `.shell ${JOB}`, joined: `.shell ${JOINED}`, reads: `.shell ${READ}` },
  psql: {
    later: `\\! ${JOB}`,
    joined: `\\! ${JOINED}`,
    reads: "\\prompt 'name? ' name \\\\ \\echo hello :name",
  },
  gdb: {
    later: `shell ${JOB}`,
    joined: `shell ${JOINED}`,
    reads: 'python print("hello " + input("name? "))',
  },
  perl: {
    later: `system q{${JOB}}`,
    joined: `system q{${JOINED}}`,
    reads: '$| = 1; print "name? "; print "hello ", scalar <STDIN>',
  },
  guile: {
    later:
      '(begin (call-with-new-thread (lambda () (while (not (file-exists? "go")) (usleep 50000)) (display (string-append "from beh" "ind\\n")) (force-output))) (display ""))',
    joined:
      '(begin (join-thread (call-with-new-thread (lambda () (display (string-append "from beh" "ind\\n")) (force-output)))) (display "done") (newline))',
    reads:
      '(begin (use-modules (ice-9 rdelim)) (display "name? ") (force-output) (let ((name (read-line))) (display (string-append "hello " name "\\n"))))',
  },
  sbcl: {
    later:
      '(progn (sb-thread:make-thread (lambda () (loop until (probe-file "go") do (sleep 0.05)) (format t "from beh~a~%" "ind") (finish-output))) (values))',
    joined:
      '(progn (sb-thread:join-thread (sb-thread:make-thread (lambda () (format t "from beh~a~%" "ind") (finish-output)))) (write-line "done") (values))',
    reads: '(progn (princ "name? ") (finish-output) (format t "hello ~a~%" (read-line)) (values))',
  },
  racket: {
    later:
      '(void (thread (lambda () (let loop () (unless (file-exists? "go") (sleep 0.05) (loop))) (printf "from beh~a\\n" "ind") (flush-output))))',
    joined:
      '(begin (thread-wait (thread (lambda () (printf "from beh~a\\n" "ind") (flush-output)))) (displayln "done"))',
    // The end of the command's own line still stands there.
    reads: '(begin (read-line) (display "name? ") (flush-output) (printf "hello ~a\\n" (read-line)))',
  },
};

const shows = ({ screen }: TestProgram, text: string): boolean =>
  screen.view().lines.some((line) => line.text.includes(text));

/** Lets what was begun print, while the program stands at its prompt. */
async function letGo(program: TestProgram): Promise<void> {
  expect(program.session.phase).toBe("prompt");
  writeFileSync(join(program.folder, "go"), "");
  await eventually(() => shows(program, "from behind"));
}

for (const name of ["bash", "zsh", "fish", "dash"])
  it.skipIf(skipped(notInstalled(name)))(`${name} tells apart what a job prints at its prompt`, async () => {
    const shell = await openTestProgram(name);
    try {
      // fish has no group of commands.
      await shell.run(`sh -c '${JOB.slice(0, -2)}' &`);
      await letGo(shell);
      const next = await shell.run("echo sound");
      expect(next).toMatchObject({ exitCode: 0, output: { isExact: true } });
      // dash says there that its job is done.
      expect(next.output.text).toMatch(/^sound\n(?:\[1\] .*\n)?$/);
      expect(next.outOfBand).toContain("from behind");
      expect(await shell.run("echo sound")).toMatchObject({ output: { text: "sound\n", isExact: true } });
    } finally {
      await shell.close();
    }
  });

for (const [name, { later, joined, reads }] of Object.entries(MEANWHILE)) {
  const interpreter = INTERPRETERS[name as InterpreterName];
  describe.skipIf(skipped(findMissing(interpreter)))(name, () => {
    let program: TestProgram;
    beforeAll(async () => void (program = await openInterpreter(interpreter)));
    afterAll(() => program.close());

    it("tells apart what is printed at its prompt", async () => {
      await program.run(later);
      await letGo(program);
      const { isSound, output, outOfBand } = await runSound(program, interpreter);
      expect({ isSound, output, outOfBand: outOfBand.trim() }).toMatchObject({
        isSound: true,
        outOfBand: "from behind",
      });
      expect(await runSound(program, interpreter)).toMatchObject({ isSound: true, outOfBand: "" });
    });

    it("takes what is printed while a command runs for its output", async () => {
      const { output } = await program.run(joined);
      expect(output.text).toMatch(/^from behind\ndone\n/);
      expect(await runSound(program, interpreter)).toMatchObject({ isSound: true, outOfBand: "" });
    });

    it("gives a command the line that it reads, and types nothing else meanwhile", async () => {
      const reading = program.run(reads);
      await eventually(() => program.screen.view().lines.some(({ text }) => text.startsWith("name?")));
      expect((await program.run(interpreter.sound[0], 300)).state).toBe("refused");
      expect(await program.session.sendInput("world")).toBeNull();
      const done = await reading;
      expect(done.output.text).toContain("hello world\n");
      expect(await runSound(program, interpreter)).toMatchObject({ isSound: true, outOfBand: "" });
    });
  });
}
