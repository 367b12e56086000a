/** An adapter for tools that ask in lines: it talks to them over pipes, without a terminal. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import {
  asId,
  AtlasBridgeError,
  BaseAdapter,
  createRefusal,
  encodeAnswer,
  type InjectionGate,
  type InjectionResult,
  openDetector,
  parseLegalValue,
  type PromptDetector,
  type PromptEvent,
  type RefusalCode,
  type Reply,
  type SessionId,
  type SessionSnapshot,
  type SessionTrouble,
} from "atlasbridge/sdk";

/** Between SIGTERM and SIGKILL (adapter spec, `terminate_session`). */
const GRACE_MS = 3_000;
/** A tool that has read its answer says something or ends. Longer silence is no proof. */
const EFFECT_MS = 5_000;

export class LineAdapter extends BaseAdapter {
  readonly #sessionId = asId<SessionId>(randomUUID());
  readonly #startedAt = performance.now();
  /** Emits `output`. */
  readonly #events = new EventEmitter();
  #child: ChildProcessWithoutNullStreams | null = null;
  #detector: PromptDetector | null = null;
  #open: PromptEvent | null = null;
  #isInjecting = false;
  #promptCount = 0;
  #lastOutputAt = this.#startedAt;

  async startSession(
    [file = "", ...args]: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<SessionId> {
    this.#detector = await openDetector("generic", { sessionId: this.#sessionId });
    const child = spawn(file, args, { env: { ...process.env, ...env } });
    // A full pipe would stop the tool.
    child.stderr.resume();
    // A tool may close its input; its end is seen by its exit.
    child.stdin.on("error", () => undefined);
    try {
      await once(child, "spawn");
    } catch (cause) {
      throw new AtlasBridgeError("ATB_TOOL_NOT_FOUND", `${file} was not started`, { cause });
    }
    this.#child = child;
    return this.#sessionId;
  }

  /** Has one reader, which must go on reading: a full pipe stops the tool. */
  async *readStream(): AsyncGenerator<Uint8Array> {
    const child = this.#child;
    if (child === null) return;
    for await (const chunk of child.stdout) {
      this.#lastOutputAt = performance.now();
      this.#events.emit("output");
      yield chunk as Uint8Array;
    }
    // The pipe may be closed a moment before the process has ended.
    if (isAlive(child)) await once(child, "exit");
  }

  async detectPrompt(buffer: Uint8Array): Promise<PromptEvent | null> {
    // The rules read a terminal's picture, and there every line feed stands behind a carriage return.
    const drawn = Buffer.from(Buffer.from(buffer).toString("latin1").replace(/\r?\n/g, "\r\n"), "latin1");
    const event = (await this.#detector?.detect(drawn)) ?? null;
    if (event === null) {
      // The tool went on by itself.
      if (this.#detector?.isAsking === false) this.#open = null;
      return null;
    }
    this.#open = event;
    this.#promptCount += 1;
    return event;
  }

  /** A line of the person at the tool, who answers the open prompt by it. */
  typeLine(text: string): void {
    this.#close();
    this.#child?.stdin.write(`${text}\n`);
  }

  async injectReply(reply: Reply, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult> {
    const open = this.#open;
    if (open === null || open.promptId !== reply.promptId) return refuse("unknown_prompt", false);
    const legal = parseLegalValue(open, reply.value, reply.text);
    if (!legal.ok) return { kind: "refused", rejection: legal.rejection, stillAsked: true };
    const keys = encodeAnswer(open.promptType, legal.value, reply.newlinePolicy);
    if (keys === null) return refuse("no_plan", true);
    this.#isInjecting = true;
    try {
      await gate({ endsTool: false, route: "keys" });
    } catch {
      return refuse("not_recorded", true);
    } finally {
      this.#isInjecting = false;
    }
    if (this.#open !== open || halt?.aborted === true) return refuse("screen_moved", this.#open === open);
    return this.#type(keys);
  }

  async #type(keys: Uint8Array): Promise<InjectionResult> {
    const child = this.#child;
    if (child === null || !isAlive(child)) return refuse("session_gone", false);
    this.#close();
    const limit = AbortSignal.timeout(EFFECT_MS);
    const effect = Promise.race([
      once(this.#events, "output", { signal: limit }).then(() => "the tool wrote something"),
      once(child, "exit", { signal: limit }).then(() => "the tool ended"),
    ]).catch(() => null);
    // No terminal makes a line feed of the Enter key here.
    child.stdin.write(Buffer.from(keys).toString().replaceAll("\r", "\n"));
    const evidence = await effect;
    return {
      kind: "receipt",
      receipt: {
        outcome: evidence === null ? "uncertain" : "answered",
        proof: evidence === null ? null : "read",
        route: "keys",
        evidence: evidence ?? "the tool stayed silent",
        bytesWritten: keys.length,
        fingerprintBefore: null,
        fingerprintAfter: null,
        endsTool: false,
      },
    };
  }

  #close(): void {
    this.#open = null;
    this.#detector?.noteAnswered();
  }

  async terminateSession(sessionId: SessionId): Promise<void> {
    if (sessionId !== this.#sessionId) throw new Error(`${sessionId} is not the session of this adapter`);
    const child = this.#child;
    if (child === null || !isAlive(child)) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    const kill = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
    await ended;
    clearTimeout(kill);
  }

  snapshotContext(): Promise<SessionSnapshot> {
    const alive = this.#child !== null && isAlive(this.#child);
    const now = performance.now();
    return Promise.resolve({
      sessionId: this.#sessionId,
      tool: this.#child?.spawnfile ?? "",
      pid: this.#child?.pid ?? null,
      state: !alive
        ? "done"
        : this.#isInjecting
          ? "injecting"
          : this.#open === null
            ? "running"
            : "awaiting_response",
      uptimeSeconds: (now - this.#startedAt) / 1_000,
      promptCount: this.#promptCount,
      lastOutputAgoSeconds: (now - this.#lastOutputAt) / 1_000,
      ptyAlive: alive,
      waitsForInput: alive && this.#open !== null,
      troubles: this.#listTroubles(alive),
    });
  }

  #listTroubles(alive: boolean): SessionTrouble[] {
    if (!alive) return ["not_running"];
    return this.#child?.stdin.writable === true ? [] : ["closed"];
  }
}

function isAlive({ exitCode, signalCode }: ChildProcessWithoutNullStreams): boolean {
  return exitCode === null && signalCode === null;
}

function refuse(code: RefusalCode, stillAsked: boolean): InjectionResult {
  return { kind: "refused", rejection: createRefusal(code), stillAsked };
}
