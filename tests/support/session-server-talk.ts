/** Our end of a server of sessions, in this process: a test is the server, and a person who answers. */
import { makePendingRequests } from "./pending-requests.js";
import { PassThrough } from "node:stream";
import { loadAdapter, getPackagePlace } from "../../src/plugins/adapters/adapters.js";
import { toEvent } from "../../src/exec/exec-events.js";
import type { PromptEvent } from "../../src/model/prompt.js";
import { systemClock } from "../../src/observe/clock.js";
import type { TurnEnd } from "../../src/worker/runtimes/exec/exec-client.js";
import { OpenCodeExecClient } from "../../src/worker/integrations/opencode/exec-client.js";
import { confirmDelivery } from "../../src/worker/prompts/confirm-delivery.js";
import type { PendingRequests } from "../../src/worker/prompts/pending-requests.js";
import { Transcript } from "../../src/worker/runtimes/protocol/transcript.js";
import { SESSION, SessionServerDouble, type Answered, type ToldEvent } from "./session-server-double.js";
import { waitFor } from "./wait-for.js";

const MESSAGE = "msg_of_the_turn";

export interface SessionServerTalk {
  readonly server: OpenCodeExecClient;
  readonly double: SessionServerDouble;
  readonly pendingRequests: PendingRequests;
  readonly raised: PromptEvent[];
  /** What a person saw of it. */
  readonly shown: () => string;
  readonly tell: (event: ToldEvent) => void;
  /** What is told of a call is told before it is asked about. */
  readonly ask: (event: ToldEvent) => Promise<"asked" | "refused">;
  /** Resolves when all that was told is read. */
  readonly read: () => Promise<void>;
  /** Begins a turn, in which a test may tell and ask; and ends it. */
  readonly turn: () => Promise<{ readonly over: Promise<TurnEnd> }>;
  readonly endTurn: () => void;
  readonly close: () => Promise<void>;
}

export interface TalkOptions {
  readonly context?: string;
  readonly resume?: string;
  readonly answers?: Readonly<Record<string, Answered>>;
}

const { headless } = await loadAdapter("opencode", getPackagePlace());
if (headless?.talk?.speaks !== "session_server") throw new Error("opencode is not talked to");
const show = headless.show === "lines" ? [] : headless.show;

/** It is open when this resolves; where it does not open, everything is closed again. */
export async function talkToSessionServer(options: TalkOptions = {}): Promise<SessionServerTalk> {
  const double = await SessionServerDouble.start(options.answers);
  const output = new PassThrough();
  const raised: PromptEvent[] = [];
  let shown = "";
  const transcript = new Transcript((text) => (shown += text));
  const pendingRequests = makePendingRequests({
    onRaised: (event) => void raised.push(event),
    confirmDelivery: (acknowledged) =>
      confirmDelivery(server, new Promise(() => undefined), systemClock, acknowledged),
  });
  let marks = 0;
  const server: OpenCodeExecClient = new OpenCodeExecClient({
    ...{
      input: new PassThrough(),
      output,
      pendingRequests,
      clock: systemClock,
      cwd: "/srv/proj",
      version: "1",
    },
    ...{ context: options.context ?? null, resume: options.resume ?? null, silenceMs: 60_000 },
    ...{ login: { user: "u", password: "hidden-from-all" }, show },
    onHung: () => undefined,
    onActivity: (activity) => {
      if (activity.kind === "said" && /^mark \d+\s*$/.test(activity.text)) {
        marks = Number(activity.text.slice(5));
        return;
      }
      transcript.showActivity(activity);
      JSON.stringify(toEvent({ type: "activity", activity }));
    },
  });
  const close = async (): Promise<void> => {
    server.close();
    await double.close();
  };
  output.write(`server listening on http://127.0.0.1:${double.port}\n`);
  try {
    await server.open();
  } catch (error) {
    await close();
    throw error;
  }
  const unfinished = new Set<string>();
  const tell = (event: ToldEvent): void => {
    const { role, id } = (event.properties["info"] ?? {}) as {
      readonly role?: unknown;
      readonly id?: unknown;
    };
    if (event.type === "message.updated" && role === "assistant") unfinished.add(String(id));
    double.tell(event);
  };
  const told = (type: string, properties: object): void =>
    tell({ type, properties: { sessionID: SESSION, ...properties } });
  const message = (id: string, time: object): void =>
    told("message.updated", { info: { id, sessionID: SESSION, role: "assistant", time } });
  let mark = 0;
  const read = async (): Promise<void> => {
    const own = (mark += 1);
    const id = `prt_mark_${own}`;
    const part = { id, sessionID: SESSION, messageID: MESSAGE, type: "text", text: `mark ${own}` };
    told("message.part.updated", { part: { ...part, time: { start: 1, end: 2 } } });
    await until(() => marks === own);
  };
  return {
    ...{ server, double, pendingRequests, raised, tell, read, close },
    shown: () => shown,
    ask: async (event) => {
      const { id, tool } = event.properties as { readonly id: string; readonly tool?: { callID?: unknown } };
      const part = { id: "prt_call", messageID: MESSAGE, type: "tool", callID: tool?.callID, tool: "bash" };
      if (tool)
        told("message.part.updated", { part: { ...part, state: { status: "running", input: { a: "b" } } } });
      const before = raised.length;
      tell(event);
      const isRefused = (): boolean =>
        double.said.some(({ path }) => path.includes(`/${encodeURIComponent(id)}/`));
      await until(() => raised.length > before || isRefused());
      return raised.length > before ? "asked" : "refused";
    },
    turn: async () => {
      const count = (): number =>
        double.said.filter(({ operation }) => operation?.endsWith("/prompt_async")).length;
      const before = count();
      const over = server.prompt("go");
      await until(() => count() > before);
      message(MESSAGE, { created: 1 });
      await read();
      return { over };
    },
    endTurn: () => {
      for (const id of unfinished) message(id, { created: 1, completed: 2 });
      unfinished.clear();
      told("session.idle", {});
    },
  };
}

async function until(holds: () => boolean): Promise<void> {
  await waitFor(() => {
    if (!holds()) throw new Error("it did not come to that");
  });
}
