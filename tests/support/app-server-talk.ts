/** Our end of an app server's protocol, in this process: a test is the server, and a person who answers. */
import { makePendingRequests } from "./pending-requests.js";
import { PassThrough } from "node:stream";
import { loadAdapter, getPackagePlace } from "../../src/plugins/adapters/adapters.js";
import { toEvent } from "../../src/exec/exec-events.js";
import type { PromptEvent } from "../../src/model/prompt.js";
import { systemClock } from "../../src/observe/clock.js";
import { CodexExecClient } from "../../src/worker/integrations/codex/exec-client.js";
import type { TurnEnd } from "../../src/worker/runtimes/exec/exec-client.js";
import type { PendingRequests } from "../../src/worker/prompts/pending-requests.js";
import { Transcript } from "../../src/worker/runtimes/protocol/transcript.js";
import { waitFor } from "./wait-for.js";

export const THREAD = "thread-1";
export const TURN = "turn-1";

export interface Line {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface AppServerTalk {
  readonly server: CodexExecClient;
  readonly pendingRequests: PendingRequests;
  readonly said: () => readonly Line[];
  readonly raised: PromptEvent[];
  readonly shown: () => string;
  readonly tell: (message: object) => void;
  /** Resolves when all that was told is read and, where no person is needed, answered. */
  readonly read: () => Promise<void>;
  /** Begins a turn, in which a test may tell and ask; and ends it. */
  readonly turn: () => Promise<TurnEnd>;
  readonly endTurn: (status?: string) => void;
}

export interface TalkOptions {
  readonly context?: string;
  readonly resume?: string;
  /** What the server answers; by default the least that it can. */
  readonly answers?: Readonly<Record<string, unknown>>;
}

const codex = await loadAdapter("codex", getPackagePlace());

export async function talkToAppServer({
  context,
  resume,
  answers,
}: TalkOptions = {}): Promise<AppServerTalk> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const known: Readonly<Record<string, unknown>> = {
    initialize: {},
    "thread/start": { thread: { id: THREAD } },
    "thread/resume": { thread: { id: THREAD } },
    "turn/start": { turn: { id: TURN } },
    "turn/steer": {},
    "turn/interrupt": {},
    ...answers,
  };
  const said: Line[] = [];
  const tell = (message: object): void => void output.write(`${JSON.stringify(message)}\n`);
  let begun = "";
  input.on("data", (bytes: Buffer) => {
    const lines = (begun + bytes.toString()).split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines.map((text) => JSON.parse(text) as Line)) {
      said.push(line);
      const { id, method } = line;
      if (method === undefined || id === undefined) continue;
      const error = { code: -32601, message: "unknown" };
      // Never in the same breath: no pipe does that.
      setImmediate(() => tell({ id, ...(method in known ? { result: known[method] } : { error }) }));
    }
  });
  const raised: PromptEvent[] = [];
  let shown = "";
  const transcript = new Transcript((text) => (shown += text));
  const pendingRequests = makePendingRequests({ onRaised: (event) => void raised.push(event) });
  const { show } = codex.headless ?? { show: [] };
  const server = new CodexExecClient({
    ...{ input, output, pendingRequests, clock: systemClock, cwd: "/srv", version: "1" },
    ...{ context: context ?? null, resume: resume ?? null, silenceMs: 60_000 },
    show: show === "lines" ? [] : show,
    onHung: () => undefined,
    onActivity: (activity) => {
      transcript.showActivity(activity);
      JSON.stringify(toEvent({ type: "activity", activity }));
    },
  });
  let reads = 0;
  const read = async (): Promise<void> => {
    const id = `read-${(reads += 1)}`;
    tell({ id, method: "test/read", params: {} });
    await waitFor(() => {
      if (!said.some((line) => line.id === id)) throw new Error("it does not read");
    });
  };
  await server.open();
  return {
    server,
    pendingRequests,
    said: () => said.filter(({ id }) => !String(id).startsWith("read-")),
    raised,
    shown: () => shown,
    tell,
    read,
    turn: () => server.prompt("go"),
    endTurn: (status = "completed") =>
      tell({
        method: "turn/completed",
        params: { threadId: THREAD, turn: { id: TURN, items: [], status, error: null } },
      }),
  };
}
