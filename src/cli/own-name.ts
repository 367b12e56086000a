/** How this program was started, for printed commands: a bare `npx atlasbridge` elsewhere would fetch another package. */
import { isAbsolute, relative } from "node:path";

export function getOwnName(
  [, program = "atlasbridge"]: readonly string[] = process.argv,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  if (env["npm_lifecycle_event"] === "npx") return "npx atlasbridge";
  if (!program.endsWith(".js")) return "atlasbridge";
  return `node ${isAbsolute(program) ? shorten(program) : program}`;
}

function shorten(program: string): string {
  const near = relative(process.cwd(), program);
  return near.length < program.length ? near : program;
}
