/** How the suite and a process that it has stopped talk: by files in one folder, so that it works whoever is killed when. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FailPoint } from "../../../src/observe/fail-point.js";

export type Step = Exclude<FailPoint, "transaction">;

/** What a stopped process does to itself before it goes on. */
export type Order = "go" | "cut" | "clock_forward" | "clock_back";

/** While it is there, the hub's database may not grow. */
export const DISK_FULL = "disk-full";

export const FAULT_FOLDER = "faults";

/** Nobody may stay stopped for ever, whatever becomes of the suite. */
export const HELD_MAX_MS = 15_000;
const LOOK_EVERY_MS = 3;

export function faultFolder(home: string): string {
  return join(home, FAULT_FOLDER);
}

export function planStop(folder: string, step: Step): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `plan-${step}`), "");
}

export function heldAt(folder: string, step: Step): number | null {
  const name = readdirSync(folder).find((file) => file.startsWith(`held-${step}-`));
  return name === undefined ? null : Number(name.slice(name.lastIndexOf("-") + 1));
}

export function forgetStop(folder: string, step: Step): void {
  rmSync(join(folder, `plan-${step}`), { force: true });
  endStop(folder, step);
}

function endStop(folder: string, step: Step): void {
  rmSync(join(folder, `go-${step}`), { force: true });
  for (const file of readdirSync(folder))
    if (file.startsWith(`held-${step}-`)) rmSync(join(folder, file), { force: true });
}

export function giveOrder(folder: string, step: Step, order: Order): void {
  writeFileSync(join(folder, `go-${step}.new`), order);
  renameSync(join(folder, `go-${step}.new`), join(folder, `go-${step}`));
}

/** In the process: true when it is to stop here. Only one of several does. */
export function claimStop(folder: string, step: Step): boolean {
  try {
    renameSync(join(folder, `plan-${step}`), join(folder, `held-${step}-${process.pid}`));
    return true;
  } catch {
    return false;
  }
}

function orderFor(folder: string, step: Step): Order | null {
  try {
    const order = readFileSync(join(folder, `go-${step}`), "utf8") as Order;
    endStop(folder, step);
    return order;
  } catch {
    return null;
  }
}

export function awaitOrderBlocking(folder: string, step: Step): Order {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  for (const end = performance.now() + HELD_MAX_MS; performance.now() < end;) {
    const order = orderFor(folder, step);
    if (order !== null) return order;
    Atomics.wait(nobody, 0, 0, LOOK_EVERY_MS);
  }
  return "go";
}

/** Stops only who awaits it: the screen goes on being read. */
export async function awaitOrder(folder: string, step: Step): Promise<Order> {
  for (const end = performance.now() + HELD_MAX_MS; performance.now() < end;) {
    const order = orderFor(folder, step);
    if (order !== null) return order;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return "go";
}
