/** Remembers the thread of each session at each place on disk, so that a restart continues in the same one. */
import * as v from "valibot";
import type { ChannelHost } from "../../../src/sdk/channel.js";
import { REMEMBERED_THREADS_MAX } from "../limits.js";

const book = v.array(v.tuple([v.string(), v.string()]));

export class Threads {
  readonly #host: Pick<ChannelHost, "getSetting" | "setSetting">;

  constructor(host: Pick<ChannelHost, "getSetting" | "setSetting">) {
    this.#host = host;
  }

  /** The first message of the session's thread, or null. */
  findThread(place: string, sessionId: string): string | null {
    return this.#read(place).find(([session]) => session === sessionId)?.[1] ?? null;
  }

  /** The session whose thread starts with this message, or null. */
  findSession(place: string, ts: string): string | null {
    return this.#read(place).find(([, first]) => first === ts)?.[0] ?? null;
  }

  remember(place: string, sessionId: string, ts: string): void {
    const others = this.#read(place).filter(([session]) => session !== sessionId);
    this.#write(place, [...others, [sessionId, ts]]);
  }

  forget(place: string, sessionId: string): void {
    this.#write(
      place,
      this.#read(place).filter(([session]) => session !== sessionId),
    );
  }

  #read(place: string): v.InferOutput<typeof book> {
    const parsed = v.safeParse(book, parse(this.#host.getSetting(`threads:${place}`)));
    return parsed.success ? parsed.output : [];
  }

  #write(place: string, entries: v.InferOutput<typeof book>): void {
    this.#host.setSetting(`threads:${place}`, JSON.stringify(entries.slice(-REMEMBERED_THREADS_MAX)));
  }
}

function parse(text: string | null): unknown {
  try {
    return text === null ? [] : JSON.parse(text);
  } catch {
    return [];
  }
}
