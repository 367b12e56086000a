/** This program as another version of it: a copy of what was built, with other numbers in it. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

export interface OtherProgram {
  readonly version: string;
  /** Wire protocols that it speaks. Default: as this one. */
  readonly protocols?: { readonly oldest: number; readonly newest: number };
}

/** Makes the program below the folder (default: a new one) and gives the path of its command. */
export function makeProgram(
  { version, protocols }: OtherProgram,
  folder = mkdtempSync(join(tmpdir(), "atb-")),
): string {
  const place = join(folder, `program-${version}`);
  mkdirSync(place, { recursive: true });
  for (const part of ["dist", "adapters"]) cpSync(join(ROOT, part), join(place, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(place, "node_modules"));
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as object;
  writeFileSync(join(place, "package.json"), JSON.stringify({ ...manifest, version }));
  if (protocols) speak(join(place, "dist"), protocols);
  return join(place, "dist/main.js");
}

function speak(dist: string, { oldest, newest }: { oldest: number; newest: number }): void {
  const wanted = [
    [/\bvar PROTOCOL_VERSION = \d+;/g, `var PROTOCOL_VERSION = ${newest};`],
    [/\bvar OLDEST_PROTOCOL_VERSION = \d+;/g, `var OLDEST_PROTOCOL_VERSION = ${oldest};`],
  ] as const;
  let replaced = 0;
  for (const file of readdirSync(dist).filter((name) => name.endsWith(".js"))) {
    const text = readFileSync(join(dist, file), "utf8");
    const found = wanted.filter(([pattern]) => text.search(pattern) !== -1);
    if (found.length === 0) continue;
    replaced += found.length;
    const other = found.reduce((before, [pattern, words]) => before.replace(pattern, words), text);
    writeFileSync(join(dist, file), other);
  }
  if (replaced === 0) throw new Error("the built program does not name its protocols");
}
