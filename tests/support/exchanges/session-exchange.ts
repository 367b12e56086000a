/** What went between us and a server of sessions in one turn, as a file: recorded from the real tool, scrubbed, played back. */
import { vi } from "vitest";
import { LoopbackClient } from "../../../src/worker/loopback/loopback-client.js";

export type Step =
  | { readonly from: "server"; readonly event: unknown }
  | {
      readonly from: "us";
      readonly method: string;
      readonly path: string;
      /** Absent: none was sent. */
      readonly body?: unknown;
      status: number;
      answer: unknown;
    };

export interface Exchange {
  readonly tool: string;
  readonly version: string;
  readonly about: string;
  readonly task: string;
  /** How the questions are answered, in order; `cancel`: the turn is stopped instead. */
  readonly answers: readonly ({ readonly value: string; readonly text?: string } | "cancel")[];
  readonly asked: readonly {
    readonly question: string;
    readonly text: string;
    readonly choices: readonly string[];
  }[];
  readonly end: { readonly stopReason: string | null; readonly words: string; readonly callsDone: number };
  readonly exchange: readonly Step[];
}

/** Of the server's many events, those that a session consists of. */
const TOLD = /^(?:session\.(?:updated|idle|error|status)|message\.|permission\.|question\.)/;

/** Everything between the client and its server from now on; `stop` lets go of the client. */
export function recordExchange(): { readonly steps: Step[]; readonly stop: () => void } {
  const steps: Step[] = [];
  const { request, events } = originals();
  const spies = [
    vi.spyOn(LoopbackClient.prototype, "request").mockImplementation(async function (
      this: LoopbackClient,
      method,
      path,
      body,
      login,
    ) {
      const said = { method, path: withoutQuery(path), body: body ?? undefined };
      const step: Step = { from: "us", ...said, status: 0, answer: null };
      steps.push(step);
      const answer = await request.call(this, method, path, body, login);
      step.status = answer.status;
      step.answer = answer.body;
      return answer;
    }),
    vi.spyOn(LoopbackClient.prototype, "openEvents").mockImplementation(function (
      this: LoopbackClient,
      path,
      listener,
    ) {
      const onEvent = (event: unknown): void => {
        if (TOLD.test(readType(event))) steps.push({ from: "server", event });
        listener.onEvent(event);
      };
      return events.call(this, path, { ...listener, onEvent });
    }),
  ];
  return { steps, stop: () => spies.forEach((spy) => spy.mockRestore()) };
}

interface Originals {
  readonly request: LoopbackClient["request"];
  readonly events: LoopbackClient["openEvents"];
}

/** Not bound to any client: they are called with one. */
function originals(): Originals {
  const { request, openEvents } = Object.getOwnPropertyDescriptors(LoopbackClient.prototype);
  return { request: request.value as never, events: openEvents.value as never };
}

function withoutQuery(path: string): string {
  return path.split("?")[0] ?? path;
}

function readType(event: unknown): string {
  return typeof event === "object" && event !== null && "type" in event ? String(event.type) : "";
}
