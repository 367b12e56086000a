/** A tool that draws what the test says, beside a server that the test is: as a run that has joined it. */
import { resolve } from "node:path";
import { ManualClock } from "../../../src/observe/clock.js";
import { getOwnUid } from "../../../src/config/own-user.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import type { AdapterEvent } from "../../../src/sdk/adapter.js";
import type { Signals } from "../../../src/sdk/view.js";
import type { PendingRequest } from "../../../src/worker/prompts/pending-request.js";
import type { ReplyPath } from "../../../src/worker/prompts/reply-path.js";
import {
  CodexAttachment,
  type CodexAttachmentOptions,
} from "../../../src/worker/integrations/codex/attachment.js";
import type { AttachHost, Attachment } from "../../../src/worker/runtimes/attachment/attachment.js";
import { SETTLED_MS } from "../../../src/worker/integrations/codex/thread-finder.js";
import { createSideChannel } from "../../../src/worker/integrations/create-side-channel.js";
import type { AttachAccess } from "../../../src/worker/runtimes/attachment/attachment.js";
import { PtyAdapter } from "../../../src/worker/runtimes/terminal/pty-adapter.js";
import { AppServerDouble, WAITING, WORKING } from "../../support/app-server.js";
import type { TerminalSize } from "../../support/real-cli/terminal.js";
import { Strings } from "../../support/strings.js";
import { COMPOSER, drawDialog, drawReport, makeRequest } from "../../support/codex-screens.js";
import { ptyOptions } from "../../support/pty-options.js";
import { shippedAdapter } from "../../unit/worker/detection/screens.js";

export const ends: (() => Promise<void>)[] = [];

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end();
}

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((look) => setTimeout(look, 5));
}

export interface JoinedToolOptions {
  /** Threads of the server besides `mine`, which the tool shows. */
  readonly others?: readonly string[];
  readonly path?: string;
  readonly size?: TerminalSize;
  /** False: its server takes requests, and answers none. */
  readonly isAnswering?: boolean;
}

type State = NonNullable<Signals["declared"]>["state"];

/** Whoever has joined, and how far it has come. */
class WatchedJoin implements Attachment {
  told: State | null = null;
  /** A dialog was found, and is held for a request that is on its way. */
  isHolding = false;
  /** A dialog was found, and is that of a request that is here. */
  isDrawn = false;
  readonly #host: AttachHost;
  readonly #join: CodexAttachment;

  constructor(host: AttachHost, clock: ManualClock, place: CodexAttachmentOptions) {
    this.#host = host;
    const onRequest = (ask: PendingRequest, call: ReplyPath): void =>
      host.onRequest(
        { ...ask, matchesDialog: (dialog) => this.#noted(ask.matchesDialog?.(dialog) === true) },
        call,
      );
    this.#join = new CodexAttachment({ ...host, clock, onRequest }, place);
  }

  get isExpecting(): boolean {
    this.isHolding = this.#join.isExpecting;
    return this.isHolding;
  }

  onSignal(): void {
    this.#join.onSignal();
    this.told = this.#host.getDeclared()?.state ?? null;
  }

  close(): void {
    this.#join.close();
  }

  #noted(draws: boolean): boolean {
    this.isDrawn ||= draws;
    return draws;
  }
}

export class JoinedTool {
  readonly adapter: PtyAdapter;
  readonly server: AppServerDouble;
  /** Of whoever has joined: what the server and the tool say is compared, and given up, when this clock says so. */
  readonly clock: ManualClock;
  readonly #strings: Strings;
  readonly #join: () => WatchedJoin | null;
  readonly #events: AsyncIterator<AdapterEvent>;

  private constructor(
    server: AppServerDouble,
    adapter: PtyAdapter,
    parts: { clock: ManualClock; strings: Strings; join: () => WatchedJoin | null },
  ) {
    this.server = server;
    this.adapter = adapter;
    this.clock = parts.clock;
    this.#strings = parts.strings;
    this.#join = parts.join;
    this.#events = adapter.events()[Symbol.asyncIterator]();
  }

  static async start(options: JoinedToolOptions = {}): Promise<JoinedTool> {
    const server = await AppServerDouble.start("mine", ...(options.others ?? []));
    server.isAnswering = options.isAnswering ?? true;
    const strings = await Strings.open();
    const clock = new ManualClock();
    let watched: WatchedJoin | null = null;
    const compiled = shippedAdapter("codex");
    if (compiled.coattach?.speaks !== "app_server") throw new Error("codex cannot be joined");
    const { drawn } = compiled.coattach;
    const place = { socket: options.path ?? server.path, uid: getOwnUid(), version: "0.0.0", drawn };
    const settings = {
      ...ptyOptions(compiled),
      ...(options.size && { size: options.size }),
      environment: { ...process.env, ...strings.environment },
    };
    const joinAccess: AttachAccess = { attach: (host) => (watched = new WatchedJoin(host, clock, place)) };
    const adapter = new PtyAdapter({
      ...settings,
      sideChannel: createSideChannel({ ...settings, joinAccess }),
    });
    const puppet = ["sh", "-c", 'stty raw -echo; exec "$0" "$1"', process.execPath];
    await adapter.startSession([...puppet, resolve("tests/fixtures/agents/puppet.mjs")]);
    const tool = new JoinedTool(server, adapter, { clock, strings, join: () => watched });
    ends.push(async () => {
      adapter.session.terminal.kill("SIGKILL");
      await adapter.session.exited;
      strings.close();
      await server.close();
    });
    await until(() => strings.isTied);
    return tool;
  }

  /** Its interface is up and its server joined; a turn has begun, and by it the thread is known. */
  async works(): Promise<void> {
    await until(() => this.server.asked.includes("thread/loaded/list"));
    const reads = (): number => this.server.asked.filter((method) => method === "thread/read").length;
    await until(() => reads() === this.server.threads.length);
    this.draws(COMPOSER);
    await this.says("idle");
    await this.compares();
    await this.says("working");
    this.server.does("mine", WORKING);
    await this.compares();
    await until(() => this.server.asked.includes("thread/resume"));
    await this.server.heard();
  }

  get heard(): string {
    return this.#strings.heard;
  }

  static async asking(command: string): Promise<{ tool: JoinedTool; event: PromptEvent }> {
    const tool = await JoinedTool.start();
    await tool.works();
    tool.server.does("mine", WAITING);
    await tool.says("blocked");
    tool.asks(1, command);
    const event = await tool.raised();
    tool.draws(drawDialog(command));
    await until(() => tool.#join()?.isDrawn === true);
    return { tool, event };
  }

  /** The last dialog that was found is held for a request that is on its way. */
  get isHolding(): boolean {
    return this.#join()?.isHolding === true;
  }

  async holds(): Promise<void> {
    await until(() => this.#join()?.isHolding === true);
  }

  async compares(): Promise<void> {
    await this.server.heard();
    this.clock.advance(SETTLED_MS);
  }

  draws(text: string): void {
    this.#strings.draws(text);
  }

  /** On its terminal; settles when whoever has joined it has heard. */
  async says(state: State): Promise<void> {
    this.draws(drawReport(state));
    await until(() => this.#join()?.told === state);
  }

  async closesDialog(): Promise<void> {
    this.draws(COMPOSER);
    await this.says("working");
  }

  asks(id: number | string, command: string, threadId = "mine"): void {
    this.server.tell(makeRequest(id, command, threadId));
  }

  async next(): Promise<Exclude<AdapterEvent, { kind: "state" }>> {
    for (;;) {
      const event = (await this.#events.next()).value as AdapterEvent;
      if (event.kind !== "state") return event;
    }
  }

  async raised(): Promise<PromptEvent> {
    const event = await this.next();
    if (event.kind !== "raised") throw new Error(`not raised, but ${JSON.stringify(event)}`);
    return event.event;
  }

  async promptCount(): Promise<unknown> {
    return (await this.adapter.snapshotContext()).promptCount;
  }
}
