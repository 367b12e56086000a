/**
 * Keeps one Socket Mode connection up: no failure of the service, the network or the disk ends this, only `stop` does. A
 * connection that is about to be closed is replaced beforehand.
 */
import type { ChannelHealth, ChannelHost, Inbox } from "../../../src/sdk/channel.js";
import { reportChanges } from "../../../src/sdk/service/report-changes.js";
import { wait } from "../../../src/sdk/waiting.js";
import type { SlackApi } from "../web-api/api.js";
import { toFailure } from "../web-api/failure.js";
import { SlackInbox, type SlackEnvelope } from "../events/inbox.js";
import type { SlackTiming } from "../limits.js";
import type { StoredEnvelope } from "../events/payloads.js";
import { planRetry } from "../web-api/retry.js";
import { listMissingScopes } from "../web-api/scopes.js";
import { SlackSocket, SocketEnded, type SocketEnd } from "./socket.js";
import { fetchAppIdentity, type AppIdentity } from "../web-api/who.js";

export interface SlackConnectionParts {
  readonly api: SlackApi;
  readonly appToken: string;
  readonly host: ChannelHost;
  readonly timing: SlackTiming;
  /** 0..1 */
  readonly random: () => number;
  /** A new row that is stored and acknowledged. */
  readonly onStored: (row: StoredEnvelope) => void;
}

export class SlackConnection {
  readonly #parts: SlackConnectionParts;
  readonly #stop = new AbortController();
  readonly #sockets = new Set<SlackSocket>();
  #running: Promise<void> | null = null;
  #who: AppIdentity | null = null;
  #inbox: SlackInbox | null = null;
  readonly #reportChanged: (health: ChannelHealth) => boolean;
  /** The connection's own state; a failing store takes precedence. */
  #health: ChannelHealth = { state: "starting" };
  #storing = true;
  #attempt = 0;
  /** When the last hello told the number of connections, on the monotonic clock. */
  #countedAt = -Infinity;
  /** Ends the wait for the next check. */
  #checkNow = new AbortController();

  constructor(parts: SlackConnectionParts) {
    this.#parts = parts;
    this.#reportChanged = reportChanges(parts.host);
  }

  start(inbox: Inbox): void {
    if (this.#running) return;
    const { host, timing } = this.#parts;
    this.#report({ state: "starting" });
    this.#inbox = new SlackInbox({
      host,
      timing,
      inbox,
      stop: this.#stop.signal,
      onStoring: (works) => {
        this.#storing = works;
        this.#report(this.#health);
      },
    });
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    const open = this.#sockets.size > 0;
    for (const socket of this.#sockets) socket.close();
    await this.#running;
    // Leaves time for the goodbyes to be sent.
    if (open) await wait(this.#parts.host.clock, this.#parts.timing.goodbyeMs, new AbortController().signal);
    this.#storing = true;
    this.#report({ state: "stopped" });
  }

  /** Counts the app's connections anew: something belongs to another hub with this app. At most as often as while it is shared. */
  recount(): void {
    const { host, timing } = this.#parts;
    if (host.clock.monotonic() - this.#countedAt >= timing.sharedMs) this.#checkNow.abort();
  }

  async #run(): Promise<void> {
    while (!this.#isStopping()) {
      try {
        await this.#serveOnce();
      } catch (error) {
        // An exception from the host's report must not end the loop either.
        if (!this.#isStopping())
          await this.#recover(error).catch(() => this.#pause(this.#parts.timing.retryMaxMs));
      }
    }
  }

  /** Serves one connection from its hello until it must be replaced. Returns if the next one may be opened at once. */
  async #serveOnce(): Promise<void> {
    const { host, timing, api } = this.#parts;
    this.#who ??= await fetchAppIdentity(api);
    if (this.#isStopping()) return;
    const older = [...this.#sockets];
    const socket = this.#open();
    const connections = await socket.hello;
    const began = host.clock.monotonic();
    for (const old of older) this.#retire(old);
    const others = connections - [...this.#sockets].filter(({ alive }) => alive).length;
    this.#countedAt = began;
    this.#report(describeHealth(this.#who, others));
    const end = await this.#endOrRecheck(socket, others > 0 ? timing.sharedMs : timing.aloneMs);
    const isNotice = end.kind === "notice";
    // A connection that worked until the service requested another was no failure, however short it was.
    if (isNotice || host.clock.monotonic() - began > timing.stableMs) this.#attempt = 0;
    if (!isNotice) throw new SocketEnded(end);
  }

  #open(): SlackSocket {
    const { appToken, api, host, timing } = this.#parts;
    const socket = new SlackSocket({
      appToken,
      apiUrl: api.apiUrl,
      http: api.http,
      clock: host.clock,
      timing,
      onEnvelope: (envelope) => this.#receive(envelope),
      onNoise: (what) => host.log("warn", "slack sent an unreadable message; ignored", { what }),
    });
    this.#sockets.add(socket);
    void socket.ended.then(({ kind }) => kind !== "notice" && this.#sockets.delete(socket));
    socket.open();
    return socket;
  }

  /** Reconnects from time to time, because only a hello tells whether others are connected to the app. */
  async #endOrRecheck(socket: SlackSocket, ms: number): Promise<SocketEnd> {
    const over = new AbortController();
    this.#checkNow = new AbortController();
    const ended = socket.ended.finally(() => over.abort());
    const time = wait(this.#parts.host.clock, ms, AbortSignal.any([over.signal, this.#checkNow.signal]));
    const recheck = time.then((): SocketEnd => ({ kind: "notice", reason: "recheck" }));
    const end = await Promise.race([ended, recheck]);
    return over.signal.aborted ? ended : end;
  }

  /** Messages still on the way to the older connection may arrive. */
  #retire(socket: SlackSocket): void {
    const { host, timing } = this.#parts;
    host.clock.after(timing.drainMs, () => {
      this.#sockets.delete(socket);
      socket.close();
    });
  }

  async #receive(envelope: SlackEnvelope): Promise<void> {
    if (!this.#inbox || !this.#who) throw new Error("not started");
    const row = await this.#inbox.store(envelope, this.#who.team);
    if (row) this.#parts.onStored(row);
  }

  async #recover(error: unknown): Promise<void> {
    const { host, timing, random } = this.#parts;
    const end: SocketEnd =
      error instanceof SocketEnded ? error.end : { kind: "lost", failure: toFailure(error) };
    this.#attempt += 1;
    const { waitMs, health } = planRetry(end, this.#attempt, random(), timing);
    this.#report(health);
    const reason = "reason" in health ? health.reason : "";
    host.log("warn", "slack connection waits before retrying", { reason, waitMs, attempt: this.#attempt });
    await this.#pause(waitMs);
  }

  #pause(ms: number): Promise<void> {
    return wait(this.#parts.host.clock, ms, this.#stop.signal);
  }

  #isStopping(): boolean {
    return this.#stop.signal.aborted;
  }

  #report(health: ChannelHealth): void {
    this.#health = health;
    this.#reportChanged(this.#storing ? health : STORE_FAILED);
  }
}

const STORE_FAILED: ChannelHealth = {
  state: "degraded",
  reason: "an answer could not be stored",
  action: "Check the disk and the hub's log; Slack tells people that their tap failed.",
};

function describeHealth({ scopes }: AppIdentity, others: number): ChannelHealth {
  const missing = scopes === null ? [] : listMissingScopes(scopes);
  if (missing.length > 0) {
    return {
      state: "degraded",
      reason: `the app lacks ${missing.join(", ")}`,
      action:
        "Add what is missing at https://api.slack.com/apps (OAuth & Permissions) and install the app again.",
    };
  }
  if (others > 0) {
    return {
      state: "degraded",
      reason: "another AtlasBridge or program is connected to this Slack app",
      action:
        "It receives some of the answers: stop it, or give each hub an app of its own. Slack soon forgets an earlier run of this one.",
    };
  }
  return { state: "connected" };
}
