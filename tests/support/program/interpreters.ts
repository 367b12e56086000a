/** The interpreters and debuggers that torture tests drive, and how each is opened for them. */
import { vi } from "vitest";
import { notInstalled } from "../skipped.js";
import { openTestProgram, type TestProgram } from "./open.js";
import { noPostgres, startPostgres } from "./postgres-server.js";

export interface Interpreter {
  readonly name: string;
  readonly executable?: string;
  /** It needs the server of PostgreSQL. */
  readonly hasServer?: true;
  readonly sound: readonly [command: string, output: string];
  readonly endless: string;
}

export const INTERPRETERS = {
  python: { name: "python", executable: "python3", sound: ["6 * 7", "42\n"], endless: "while True: pass" },
  node: { name: "node", sound: ["6 * 7", "42\n"], endless: "while (true) {}" },
  ruby: { name: "ruby", executable: "irb", sound: ["6 * 7", "=> 42\n"], endless: "loop {}" },
  lua: {
    name: "lua",
    executable: "lua5.4",
    sound: ["print(6 * 7)", "42\n"],
    endless: "while true do end",
  },
  sqlite3: {
    name: "sqlite3",
    sound: ["select 6 * 7;", "42\n"],
    endless: "with recursive c(n) as (select 1 union all select n + 1 from c) select count(*) from c;",
  },
  psql: {
    name: "psql",
    hasServer: true,
    sound: ["select 6 * 7 as n;", " n  \n----\n 42\n(1 row)\n"],
    endless: "select pg_sleep(1000);",
  },
  gdb: { name: "gdb", sound: ["echo sound\\n", "sound\n"], endless: "python while True: pass" },
  perl: { name: "perl", sound: ['print "sound\\n"', "sound\n"], endless: "for (;;) { $n++; }" },
  guile: {
    name: "guile",
    sound: ['(begin (display "sound") (newline))', "sound\n"],
    endless: "(let loop () (loop))",
  },
  sbcl: { name: "sbcl", sound: ['(progn (write-line "sound") (values))', "sound\n"], endless: "(loop)" },
  racket: {
    name: "racket",
    sound: ['(begin (display "sound") (newline))', "sound\n"],
    endless: "(let loop () (loop))",
  },
} as const satisfies Readonly<Record<string, Interpreter>>;

export type InterpreterName = keyof typeof INTERPRETERS;

export function findMissing({ name, executable = name, hasServer }: Interpreter): string | null {
  return hasServer ? noPostgres : notInstalled(executable);
}

/** With a server of its own where it needs one, which ends with it. */
export async function openInterpreter({ name, hasServer }: Interpreter): Promise<TestProgram> {
  const server = hasServer ? await startPostgres() : null;
  for (const [variable, value] of Object.entries(server?.environment ?? {})) vi.stubEnv(variable, value);
  const program = await openTestProgram(name);
  return {
    ...program,
    close: async () => {
      await program.close();
      await server?.stop();
      vi.unstubAllEnvs();
    },
  };
}

/** Runs the command that proves that a program is usable. Some draw a blank row above their prompt. */
export async function runSound(program: TestProgram, { sound }: Interpreter) {
  const { output, outOfBand, state } = await program.run(sound[0]);
  return {
    output: output.text.trimEnd(),
    isSound: output.text.trimEnd() === sound[1].trimEnd(),
    outOfBand,
    state,
  };
}
