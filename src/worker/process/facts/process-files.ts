/** Reads what Linux tells of processes (`proc(5)`). A process may end, or belong to another user: then there is nothing to read. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../../model/data/attempt.js";
import { splitStat } from "../../../observe/process-life.js";

export class ProcessFiles {
  readonly #proc: string;

  /** `proc` is where the process file system is mounted. */
  constructor(proc: string) {
    this.#proc = proc;
  }

  list(folder: string): string[] {
    return attempt(() => readdirSync(join(this.#proc, folder)), []);
  }

  readText(file: string): string | undefined {
    return attempt(() => readFileSync(join(this.#proc, file), "utf8"), undefined);
  }

  readLink(file: string): string | undefined {
    return attempt(() => readlinkSync(join(this.#proc, file)), undefined);
  }

  readChildren(pid: number): number[] {
    return this.list(`${pid}/task`)
      .flatMap((thread) => (this.readText(`${pid}/task/${thread}/children`) ?? "").split(" "))
      .filter((text) => text !== "")
      .map(Number);
  }

  /** See `splitStat`. */
  readStat(pid: number): readonly string[] {
    return splitStat(this.readText(`${pid}/stat`) ?? "");
  }
}
