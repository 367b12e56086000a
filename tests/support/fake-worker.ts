/** A worker without a tool: it raises prompts and puts answers in by decree. */
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { execPath } from "node:process";
import type { Paths } from "../../src/config/paths.js";
import { listHubSockets } from "../../src/config/private-files.js";
import { startHubOnce } from "../../src/client/connect/start-hub.js";
import { asId, type IdempotencyKey, type PromptId, type SessionId } from "../../src/model/ids.js";
import type { PromptEvent } from "../../src/model/prompt.js";
import type { ReceiptOutcome } from "../../src/model/answer/receipt.js";
import { systemClock } from "../../src/observe/clock.js";
import { systemRandom } from "../../src/observe/random.js";
import { readHubSecret } from "../../src/config/hub-secret.js";
import { introduce } from "../../src/wire/hub-proof.js";
import type { ReaskResult } from "../../src/sdk/adapter.js";
import {
  PROTOCOL_VERSION,
  type HubCalls,
  type ParamsFor,
  type ParamsOf,
  type WorkerCalls,
} from "../../src/wire/messages.js";
import type { Peer } from "../../src/wire/peer.js";
import { HubLink, type LinkState } from "../../src/worker/session/hub-link.js";
import { openParams } from "./empty-core.js";
import { MAIN } from "./hub-home.js";
import { promptEvent } from "./prompts.js";
import { dialFrom, workerProcess } from "./worker-process.js";
import { sessionSnapshot } from "./session-snapshot.js";
import { consoleHandlers } from "../../src/console/console-service.js";

type Reply = ParamsOf<WorkerCalls, "reply.deliver">;

export class FakeWorker {
  readonly sessionId = randomUUID();
  readonly replies: Reply[] = [];
  readonly states: LinkState[] = [];
  readonly link: HubLink;
  readonly #hubs: ChildProcess[] = [];
  outcome: ReceiptOutcome | "refused" = "answered";
  words = { refusal: "Not applied: the screen changed. Nothing was typed.", evidence: "by decree" };
  /** What is found of a question that is to be asked again. */
  stands: ReaskResult = "gone";
  begun = 0;
  #held: Promise<void> = Promise.resolve();
  readonly #unsettled = new Set<string>();
  release: () => void = () => undefined;

  /** `session`: what it says of itself, where that is not all the same. */
  constructor(paths: Paths, session: Partial<ParamsFor<HubCalls, "session.open">> = {}) {
    const process = workerProcess();
    this.link = new HubLink({
      dial: () => dialFrom(process, listHubSockets(paths)[0]),
      prove: (hub) => proveAs(process.pid, hub, paths),
      startHub: (pauseMs) => {
        const hub = startHubOnce(paths, [execPath, MAIN, "hub", "start", "--foreground"], pauseMs);
        if (hub) this.#hubs.push(hub);
      },
      session: { ...openParams(this.sessionId), ...session, ...process },
      clock: systemClock,
      random: systemRandom,
    });
    this.link.start({
      listPrompts: () => [...this.#unsettled],
      handlers: {
        ...consoleHandlers(null),
        "reply.deliver": (reply) => {
          this.replies.push(reply);
          void this.#putIn(reply).catch(() => undefined);
          return { accepted: true };
        },
        "nonce.update": () => ({}),
        "session.screen": () => ({ text: "$ ", problem: null }),
        "session.interrupt": () => ({ problem: null }),
        "answers.halt": () => ({}),
        "session.reach": () => ({}),
        "session.mark": () => ({}),
        "prompt.reveal": () => ({ text: null }),
        "prompt.again": () => ({ stands: this.stands }),
        "task.submit": () => ({ receipt: null, rejection: { code: "no_composer", text: "" } }),
        "session.snapshot": () => sessionSnapshot({ sessionId: asId(this.sessionId) }),
        "session.capture": () => ({ scenarioFile: "a.json", recordingFile: "a.jsonl", toldAtMs: null }),
      },
      onOpened: () => undefined,
      onState: (state) => this.states.push(state),
    });
  }

  get hubStarts(): number {
    return this.#hubs.length;
  }

  /** From now on answers begin and do not end. */
  hold(): void {
    this.#held = new Promise((resolve) => (this.release = resolve));
  }

  /** Ends the link and every hub it started, also one that has not come up yet. */
  close(): void {
    this.link.close();
    for (const hub of this.#hubs) hub.kill("SIGKILL");
  }

  async raise(over: Partial<PromptEvent> = {}): Promise<string> {
    const event = promptEvent({
      promptId: asId<PromptId>(randomUUID()),
      sessionId: asId<SessionId>(this.sessionId),
      idempotencyKey: asId<IdempotencyKey>(randomUUID()),
      ...over,
    }) as unknown as ParamsFor<HubCalls, "prompt.raise">;
    this.#unsettled.add(event.promptId);
    const { shortId } = await this.link.call("prompt.raise", event, { whenConnected: true });
    return shortId;
  }

  async #putIn({ promptId, replyId }: Reply): Promise<void> {
    const key = { promptId, replyId };
    if (this.outcome === "refused") {
      const rejection = { code: "screen_moved", text: this.words.refusal };
      await this.link.call("reply.refuse", { ...key, rejection, stillAsked: true });
      return;
    }
    const fingerprint = "f".repeat(64);
    await this.link.call("injection.begin", { ...key, route: "keys", fingerprint });
    this.begun += 1;
    await this.#held;
    await this.link.call("injection.end", {
      ...key,
      receipt: {
        outcome: this.outcome,
        proof: this.outcome === "answered" ? "effect" : null,
        route: "keys",
        evidence: this.words.evidence,
        bytesWritten: 1,
        fingerprintBefore: fingerprint,
        fingerprintAfter: null,
        endsTool: false,
      },
    });
    this.#unsettled.delete(promptId);
  }
}

/** As the process that speaks for it. The hub says of itself which one it is: what is not tested here is believed. */
async function proveAs(callerPid: number, hub: Peer<HubCalls>, paths: Paths): Promise<void> {
  const secret = readHubSecret(paths) ?? Buffer.alloc(0);
  const own = { protocol: PROTOCOL_VERSION, version: "0.0.0" };
  const { pid: hubPid } = await hub.call("hub.hello", own);
  const ends = process.platform === "linux" ? { callerPid, hubPid } : { callerPid: null, hubPid: null };
  await introduce(hub, { own, secret, ends, timeoutMs: 5_000 });
}
