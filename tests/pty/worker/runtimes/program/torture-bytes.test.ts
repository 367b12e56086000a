/**
 * Bytes that are no text and lines of 64 KiB, out of each interpreter and into it: they are kept as they came, and a line that would be cut
 * on its way is not typed.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import {
  findMissing,
  INTERPRETERS,
  openInterpreter,
  runSound,
  type InterpreterName,
} from "../../../../support/program/interpreters.js";
import { notInstalled, skipped } from "../../../../support/skipped.js";

const LONG = 64 * 1024;
const LONG_TEXT = "x".repeat(LONG);

interface Bytes {
  /** Prints 3,000 bytes of 255 and `a\0b\xc3(`; sqlite3 ends its texts at a zero, so that it prints none. */
  readonly binary: string;
  /** Prints 65,536 `x` in a row. */
  readonly longOutput: string;
  /** Prints the length of a text that stands in it; null: it takes no such line, and says so. */
  readonly longInput: ((text: string) => string) | null;
}

const TYPED_SHELL = "head -c 3000 /dev/zero | tr '\\0' '\\377'; printf 'a\\0b\\303('";

const BYTES: Readonly<Record<InterpreterName, Bytes>> = {
  python: {
    binary: 'import os; _ = os.write(1, b"\\xff" * 3000 + b"a\\0b\\xc3(")',
    longOutput: 'print("x" * 65536)',
    longInput: (text) => `print(len("${text}"))`,
  },
  node: {
    binary:
      'void fs.writeSync(1, Buffer.concat([Buffer.alloc(3000, 255), Buffer.from("a\\0b\\xc3(", "latin1")]))',
    longOutput: 'console.log("x".repeat(65536))',
    longInput: (text) => `console.log("${text}".length)`,
  },
  ruby: {
    binary: '$stdout.write("\\xff".b * 3000 + "a\\0b\\xc3(".b); $stdout.flush; nil',
    longOutput: 'puts "x" * 65536',
    longInput: (text) => `puts "${text}".size`,
  },
  lua: {
    binary: 'io.write(("\\xff"):rep(3000), "a\\0b\\xc3("); io.flush()',
    longOutput: 'print(("x"):rep(65536))',
    longInput: (text) => `print(#"${text}")`,
  },
  sqlite3: {
    binary:
      "select replace(hex(zeroblob(1500)), '0', cast(x'ff' as text)) || 'ab' || cast(x'c3' as text) || '(';",
    longOutput: "select replace(hex(zeroblob(32768)), '0', 'x');",
    longInput: null,
  },
  psql: {
    binary: `\\! ${TYPED_SHELL}`,
    longOutput: "copy (select repeat('x', 65536)) to stdout;",
    longInput: null,
  },
  gdb: {
    binary: 'python import os; os.write(1, b"\\xff" * 3000 + b"a\\0b\\xc3(")',
    longOutput: 'python print("x" * 65536)',
    longInput: null,
  },
  perl: {
    binary: '$| = 1; print "\\xff" x 3000, "a\\0b\\xc3("',
    longOutput: 'print "x" x 65536, "\\n"',
    longInput: (text) => `print length("${text}"), "\\n"`,
  },
  guile: {
    binary:
      '(begin (set-port-encoding! (current-output-port) "ISO-8859-1") (display (make-string 3000 (integer->char 255))) (display "a\\0b") (display (integer->char 195)) (display "(") (force-output) (set-port-encoding! (current-output-port) "UTF-8"))',
    longOutput: "(begin (display (make-string 65536 #\\x)) (newline))",
    longInput: (text) => `(begin (display (string-length "${text}")) (newline))`,
  },
  sbcl: {
    binary:
      "(let ((s (sb-sys:make-fd-stream 1 :output t :element-type '(unsigned-byte 8) :buffering :full))) (dotimes (n 3000) (write-byte 255 s)) (write-sequence #(97 0 98 195 40) s) (finish-output s) (values))",
    longOutput: "(progn (write-line (make-string 65536 :initial-element #\\x)) (values))",
    longInput: (text) => `(progn (print (length "${text}")) (values))`,
  },
  racket: {
    binary: '(begin (write-bytes (make-bytes 3000 255)) (write-bytes #"a\\0b\\303(") (flush-output) (void))',
    longOutput: "(begin (display (make-string 65536 #\\x)) (newline))",
    longInput: (text) => `(begin (display (string-length "${text}")) (newline))`,
  },
};

for (const name of ["bash", "zsh", "fish", "dash"])
  it.skipIf(skipped(notInstalled(name)))(
    `${name} gives a line of 64 KiB as one, with or without its end`,
    async () => {
      const shell = await openTestProgram(name);
      try {
        for (const end of ["", "\n"]) {
          const { output } = await shell.run(
            `head -c ${LONG} /dev/zero | tr '\\0' x; printf '${end === "" ? "" : "\\n"}'`,
          );
          expect(output.isExact).toBe(true);
          expect(readFileSync(output.file ?? "", "utf8")).toBe(`${LONG_TEXT}${end}`);
          expect((await shell.run("echo sound")).output.text).toBe("sound\n");
        }
      } finally {
        await shell.close();
      }
    },
  );

for (const [name, { binary, longOutput, longInput }] of Object.entries(BYTES)) {
  const interpreter = INTERPRETERS[name as InterpreterName];
  describe.skipIf(skipped(findMissing(interpreter)))(name, () => {
    let program: TestProgram;
    beforeAll(async () => void (program = await openInterpreter(interpreter)));
    afterAll(() => program.close());

    async function expectSound(): Promise<void> {
      expect(await runSound(program, interpreter)).toMatchObject({ isSound: true, outOfBand: "" });
    }

    it("keeps binary bytes as they came", async () => {
      const { output, state } = await program.run(binary);
      const from = output.raw.indexOf(255);
      const rest = Buffer.from(output.raw.subarray(from + 3000, from + 3005)).toString("latin1");
      expect([...new Set(output.raw.subarray(from, from + 3000))]).toEqual([255]);
      expect({ rest, state }).toEqual({
        rest: name === "sqlite3" ? "ab\xc3(\r" : "a\0b\xc3(",
        state: "finished",
      });
      await expectSound();
    });

    it("prints a line of 64 KiB that stays one line", async () => {
      const { output } = await program.run(longOutput);
      const [line = "", ...others] = readFileSync(output.file ?? "", "utf8").split("\n");
      expect({ length: line.length, isExact: output.isExact }).toEqual({ length: LONG, isExact: true });
      expect(line).toBe(LONG_TEXT);
      expect(output.text.startsWith("xxx")).toBe(true);
      expect(others.join("").length).toBeLessThan(20);
      await expectSound();
    });

    it("takes a command of 64 KiB whole, or not at all", async () => {
      const { output, state, note } = await program.run(longInput?.(LONG_TEXT) ?? LONG_TEXT);
      if (longInput === null) {
        expect({ state, note }).toEqual({
          state: "refused",
          note: "one of its lines is longer than 4000 bytes",
        });
      } else expect(output.text.trim().split(/\s+/)[0]).toBe(String(LONG));
      await expectSound();
    });
  });
}
