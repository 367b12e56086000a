// What every try knows: attack.mjs CONTEXT NAME FACTS.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { meetHub } from "../../../fixtures/agents/hub-client.mjs";

/** Ends a hang. It decides nothing: a try that ends by it fails its suite. */
export const HANG_MS = 60_000;
const GAP_MS = 20;

export const [contextFile, name, factsText] = process.argv.slice(2);
export const { socket, log, main, protocol } = JSON.parse(readFileSync(contextFile, "utf8"));
export const facts = factsText ? JSON.parse(factsText) : null;
export const home = dirname(socket);

export class Hang extends Error {}

/** The first value that is not falsy. */
export async function until(look, what) {
  for (const end = performance.now() + HANG_MS; performance.now() < end;) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, GAP_MS));
  }
  throw new Hang(`${what} did not come within ${HANG_MS} ms`);
}

export function native() {
  const koffi = createRequire(main)("koffi");
  const libc = koffi.load(null);
  return {
    ptrace: libc.func("long ptrace(int request, int pid, void *address, void *data)"),
    syscall: libc.func("long syscall(long number, long a, long b, long c)"),
    getsockopt: libc.func(
      "int getsockopt(int fd, int level, int name, _Out_ uint8_t *value, _Inout_ uint32_t *length)",
    ),
  };
}

export async function killHub() {
  const client = await meetHub(socket);
  const { pid } = (await client.call("hub.status", {})).result;
  process.kill(pid, "SIGKILL");
  await new Promise((resolve) => client.stream.once("close", resolve));
}
