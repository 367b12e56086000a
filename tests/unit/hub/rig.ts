/** A hub core on a real database file, with a fake chat and a fake worker link, for tests of what people and workers see. */
import type { ReaskResult } from "../../../src/sdk/adapter.js";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Hub, type HubOptions } from "../../../src/hub/core/hub.js";
import type { WorkerLink } from "../../../src/wire/connection-ends.js";
import { openStore } from "../../../src/hub/store/open-store.js";
import { locateAuditKey } from "../../../src/hub/store/audit-files.js";
import { PRIVATE_FILE_MODE } from "../../../src/config/private-files.js";
import type { Store } from "../../../src/hub/store/store.js";
import { asId, type IdempotencyKey, type PromptId, type SessionId } from "../../../src/model/ids.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import type { Receipt } from "../../../src/model/answer/receipt.js";
import type { Reply } from "../../../src/model/answer/reply.js";
import type { ScreenCells } from "../../../src/sdk/view.js";
import { ManualClock } from "../../../src/observe/clock.js";
import { systemRandom } from "../../../src/observe/random.js";
import { promptEvent } from "../../support/prompts.js";
import { FakeChannel, configureChannel, turns } from "./fake-channel.js";

export const SESSION = asId<SessionId>("22222222-2222-4222-8222-222222222222");
export const ARA = { name: "Ara", identities: ["chat:1"], role: "approver" } as const;

export const SETTINGS: HubOptions["settings"] = {
  people: [ARA],
  routes: [],
  hosts: [],
  quiet_hours: null,
  prompts: {
    expires_after: 30 * 60_000,
    on_expiry: "leave",
    remind_after: [],
    deliver_after: 0,
    number_for: [],
    flood_limit: 0,
    title_mark: true,
    stuck_timeout_seconds: 2,
  },
  conversation: { idle_message: true, ask_hint: true, while_working: "queue", progress_every: 0 },
  agents: { may_start: [] },
  ledger: { keep_for: 0, disk_limit_mb: 1_000_000 },
};

/** A killed process loses nothing that SQLite handed to the kernel, so memory will do: thousands of commits need no disk. */
export function fastestTmp(): string {
  return existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
}

export function tempDirectory(): string {
  const path = mkdtempSync(join(fastestTmp(), "atb-hub-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const redact = (text: string): string => text;

/** The files of a store without rows: to copy them takes a third of the time of making them, and over a thousand tests need them. */
let emptyStore: Promise<{ readonly database: Buffer; readonly key: Buffer }> | null = null;

async function makeEmptyStore(): Promise<{ readonly database: Buffer; readonly key: Buffer }> {
  const directory = mkdtempSync(join(fastestTmp(), "atb-hub-"));
  try {
    const path = join(directory, "empty.db");
    (await openStore({ path, redact })).close();
    return { database: readFileSync(path), key: readFileSync(locateAuditKey(path)) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Puts an empty store to `path`, unless something of one is there. */
async function copyEmptyStore(path: string): Promise<void> {
  const keyFile = locateAuditKey(path);
  if (existsSync(path) || existsSync(keyFile)) return;
  emptyStore ??= makeEmptyStore();
  const { database, key } = await emptyStore;
  writeFileSync(path, database, { mode: PRIVATE_FILE_MODE });
  writeFileSync(keyFile, key, { mode: PRIVATE_FILE_MODE });
}

/** A link that remembers what the worker was given and acknowledges it. */
export class FakeLink implements WorkerLink {
  readonly replies: Reply[] = [];
  readonly nonceHashes: string[] = [];
  /** What the worker says to `screen` and `stop`. */
  screen: { text: string | null; problem: string | null; cells?: ScreenCells } = {
    text: "$ make\ndone",
    problem: null,
  };
  interrupted: string | null = null;
  /** What it finds of a question that is to be asked again; null: it is gone itself. */
  stands: ReaskResult | null = "gone";
  readonly asked: unknown[] = [];
  readonly calls: string[] = [];
  /** Whom the session was told that it reaches. */
  readonly reaches: unknown[] = [];
  /** Tasks that it was given, and what it says became of the next one. */
  readonly tasks: { readonly taskId: string; readonly text: string; readonly clears?: string }[] = [];
  taskResult: (task: { readonly taskId: string }) => Promise<unknown> = () =>
    Promise.resolve({ receipt: RECEIPT, rejection: null });
  mode: "accept" | "decline" | "silent" | "lost" = "accept";

  call(method: string, params: unknown): Promise<never> {
    if (method === "session.reach") this.reaches.push(params);
    else this.calls.push(method);
    if (method === "session.screen" && this.mode === "accept") return Promise.resolve(this.screen as never);
    if (method === "session.interrupt") return Promise.resolve({ problem: this.interrupted } as never);
    if (method === "prompt.reveal")
      return Promise.resolve({ text: "API_KEY=planted-planted npm test" } as never);
    if (method === "prompt.again") {
      this.asked.push(params);
      return this.stands === null
        ? Promise.reject(new Error("lost"))
        : Promise.resolve({ stands: this.stands } as never);
    }
    if (method === "task.submit") {
      const task = params as { readonly taskId: string; readonly text: string };
      this.tasks.push(task);
      return this.taskResult(task) as never;
    }
    if (method === "nonce.update") this.nonceHashes.push((params as { nonceHash: string }).nonceHash);
    if (method === "reply.deliver") this.replies.push(params as Reply);
    if (this.mode === "silent") return new Promise(() => undefined);
    if (this.mode === "lost") return Promise.reject(new Error("connection lost"));
    return Promise.resolve({ accepted: this.mode === "accept" } as never);
  }
}

export const RECEIPT: Receipt = {
  outcome: "answered",
  proof: "effect",
  route: "keys",
  evidence: "the dialog closed",
  bytesWritten: 1,
  fingerprintBefore: null,
  fingerprintAfter: null,
  endsTool: false,
};

export interface Rig {
  readonly core: Hub;
  readonly store: Store;
  readonly clock: ManualClock;
  readonly chat: FakeChannel;
  readonly link: FakeLink;
  readonly path: string;
  /** Raises a prompt; `n` makes another id and key. */
  raise(over?: Partial<PromptEvent>, n?: number): Promise<PromptEvent>;
  begin(event: PromptEvent, endsTool?: boolean): Promise<string>;
  end(event: PromptEvent, receipt?: Partial<Receipt>): Promise<string>;
  readState(event: PromptEvent): string | undefined;
}

export function sessionParams(over: Record<string, unknown> = {}) {
  return {
    protocol: 1,
    version: "0.1.0",
    sessionId: SESSION as string,
    tool: "claude",
    label: null,
    cwd: "/home/ara/project",
    command: ["claude"],
    pid: 4242,
    pidStartTime: "77",
    startedAt: 0,
    inside: null,
    capabilities: {
      chatTurns: true,
      screenView: true,
    },
    ...over,
  };
}

export function makeEvent(n: number, over: Partial<PromptEvent> = {}): PromptEvent {
  const digits = String(n).padStart(12, "0");
  return promptEvent({
    promptId: asId<PromptId>(`11111111-1111-4111-8111-${digits}`),
    sessionId: SESSION,
    idempotencyKey: asId<IdempotencyKey>(digits.padStart(64, "a")),
    ...over,
  });
}

export type RigOptions = Partial<HubOptions> & {
  readonly path?: string;
  readonly clock?: ManualClock;
  readonly chat?: FakeChannel;
  /** False: no timer runs and nothing is sent, so that only the calls themselves act. */
  readonly started?: boolean;
  /** True: no worker has opened the session in this hub. */
  readonly unopened?: boolean;
  /** An agent asks over MCP. */
  readonly underTool?: boolean;
  /** When the session's worker started: long ago, unless it matters. */
  readonly startedAt?: number;
  readonly configuredChannels?: (chat: FakeChannel) => ReturnType<typeof configureChannel>[];
};

export async function makeRig(options: RigOptions = {}): Promise<Rig> {
  const path = options.path ?? join(tempDirectory(), "atlasbridge.db");
  const clock = options.clock ?? new ManualClock();
  await copyEmptyStore(path);
  const store = await openStore({ path, redact });
  const chat = options.chat ?? new FakeChannel();
  const core = new Hub(store, {
    random: systemRandom,
    safeText: (text) => text,
    settings: SETTINGS,
    processAlive: () => true,
    log: () => undefined,
    version: "0.1.0",
    ...options,
    clock,
  });
  onTestFinished(async () => {
    if (store.isOpen) await core.stop();
  });
  await core.useChannels(options.configuredChannels?.(chat) ?? [configureChannel(chat)]);
  if (options.started !== false) await core.start();
  const link = new FakeLink();
  const asksOverMcp = { capabilities: { chatTurns: false, screenView: false, underTool: true } };
  const opened = { startedAt: options.startedAt ?? 0, ...(options.underTool === true && asksOverMcp) };
  if (options.unopened !== true) {
    await core.handlers["session.open"](sessionParams(opened), { sessionId: null });
    core.connected(SESSION, link);
  }
  const caller = { sessionId: SESSION };
  const replyId = (event: PromptEvent) => store.prompts.find(event.promptId)?.replyId ?? "";
  return {
    core,
    store,
    clock,
    chat,
    link,
    path,
    async raise(over = {}, n = 1) {
      const event = makeEvent(n, over);
      await core.handlers["prompt.raise"](event as never, caller);
      await turns();
      return event;
    },
    async begin(event, endsTool = false) {
      const { promptId, fingerprint } = event;
      const params = { promptId, replyId: replyId(event), route: "keys" as const, fingerprint, endsTool };
      return (await core.handlers["injection.begin"](params, caller)).state;
    },
    async end(event, receipt = {}) {
      const params = {
        promptId: event.promptId,
        replyId: replyId(event),
        receipt: { ...RECEIPT, ...receipt },
      };
      const { state } = await core.handlers["injection.end"](params, caller);
      await turns();
      return state;
    },
    readState: (event) => store.prompts.find(event.promptId)?.state,
  };
}
