/** Reads the settings of a terminal behind a descriptor by a system call, where Linux has them in the common layout. */
import { openCLibrary } from "../../../observe/system-calls.js";
import type { InputMode } from "../terminal.js";

/** More than `struct termios` has anywhere (`termios(3)`): four 32-bit words of flags, the line discipline, the characters. */
const WORDS = 32;
const LOCAL_FLAGS = 3;
const ICANON = 0o2;
const ECHO = 0o10;

const COMMON_LAYOUT: ReadonlySet<string> = new Set([
  "arm",
  "arm64",
  "ia32",
  "loong64",
  "riscv64",
  "s390x",
  "x64",
]);

type GetSettings = (fd: number, into: Uint32Array) => number;
let getSettings: GetSettings | null | undefined;

/** Null where the call or the layout is not known, and for a descriptor that is no terminal. */
export function readSettings(fd: number): Uint32Array | null {
  getSettings ??= COMMON_LAYOUT.has(process.arch)
    ? (openCLibrary()?.func("int tcgetattr(int fd, void *settings)") ?? null)
    : null;
  const settings = new Uint32Array(WORDS);
  return getSettings?.(fd, settings) === 0 ? settings : null;
}

export function readInputMode(fd: number): InputMode | null {
  const flags = readSettings(fd)?.[LOCAL_FLAGS];
  return flags === undefined ? null : { canonical: (flags & ICANON) !== 0, echo: (flags & ECHO) !== 0 };
}
