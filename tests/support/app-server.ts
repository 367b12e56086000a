/** A server of threads as a tool has it in the background: WebSocket on a Unix socket, in folders of its user. The test is the server. */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { problem, RELAYED } from "./app-server-schema/kept.js";
import { ServerSocket } from "./slack/websocket.js";

type Message = Readonly<Record<string, unknown>>;

export interface ServedThread {
  readonly id: string;
  cwd?: string;
  status: object;
}

export const IDLE = { type: "idle" };
export const WORKING = { type: "active", activeFlags: [] };
export const WAITING = { type: "active", activeFlags: ["waitingOnApproval"] };

export class AppServerDouble {
  readonly path: string;
  readonly threads: ServedThread[];
  /** What clients said that is an answer, or an error, to a request of ours. */
  readonly answers: Message[] = [];
  readonly asked: string[] = [];
  /** Of a thread that was joined, what waits is sent again. */
  onJoin: (threadId: string) => void = () => undefined;
  readonly #requests = new Map<unknown, string>();
  readonly #problems: string[] = [];
  /** False: it takes requests, and answers none. */
  isAnswering = true;
  /** Threads that are there, and that it cannot read. */
  readonly unreadable = new Set<string>();
  readonly #folder: string;
  readonly #server: Server;
  #clients: ServerSocket[] = [];

  private constructor(folder: string, threads: ServedThread[]) {
    this.#folder = folder;
    this.path = join(folder, "control", "s");
    this.threads = threads;
    this.#server = createServer().on("upgrade", (request, socket, head) => {
      const client = new ServerSocket(request, socket, head);
      this.#clients.push(client);
      client.onText = (text) => this.#take(client, JSON.parse(text) as Message);
      client.onGone = () => (this.#clients = this.#clients.filter((other) => other !== client));
    });
  }

  static async start(...ids: readonly string[]): Promise<AppServerDouble> {
    const folder = mkdtempSync(join(tmpdir(), "atlas-app-"));
    mkdirSync(join(folder, "control"), { mode: 0o700 });
    const double = new AppServerDouble(
      folder,
      ids.map((id) => ({ id, status: IDLE })),
    );
    double.#server.listen(double.path);
    await once(double.#server, "listening");
    return double;
  }

  get clients(): number {
    return this.#clients.length;
  }

  tell(message: object): void {
    const { id, method } = message as Message;
    if (id !== undefined && typeof method === "string") this.#requests.set(id, method);
    this.tellText(JSON.stringify(message));
  }

  tellText(text: string): void {
    for (const client of this.#clients) client.send(text);
  }

  /** Settles when every client has read what it was told so far, and has answered what it answers at once. */
  async heard(): Promise<void> {
    const pongs = this.#clients.map(
      (client) =>
        new Promise<void>((resolve) => {
          client.onPong = resolve;
          client.ping();
        }),
    );
    await Promise.all(pongs);
  }

  tellRaw(bytes: Uint8Array): void {
    for (const client of this.#clients) client.sendRaw(bytes);
  }

  does(id: string, status: object): void {
    const thread = this.threads.find((each) => each.id === id);
    if (thread) thread.status = status;
    this.tell({ method: "thread/status/changed", params: { threadId: id, status } });
  }

  resolve(threadId: string, requestId: number | string): void {
    this.tell({ method: "serverRequest/resolved", params: { threadId, requestId } });
  }

  cut(): void {
    for (const client of this.#clients) client.destroy();
  }

  /** Errors: a client did not speak as codex's own schema says. */
  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
    rmSync(this.#folder, { recursive: true, force: true });
    if (this.#problems.length > 0) throw new Error(this.#problems.join("\n"));
  }

  #take(client: ServerSocket, message: Message): void {
    const { id, method } = message;
    if (typeof method !== "string") this.answers.push(message);
    else this.asked.push(method);
    const wrong = this.#findProblem(message);
    if (wrong !== null) this.#problems.push(`${JSON.stringify(message)}: ${wrong}`);
    if (typeof method !== "string" || id === undefined || !this.isAnswering) return;
    const params = message["params"] as { threadId?: string };
    const isRead = method !== "thread/read" || !this.unreadable.has(params.threadId ?? "");
    const error = { code: -32600, message: "its file cannot be read" };
    client.send(JSON.stringify(isRead ? { id, result: this.#makeResult(method, params) } : { id, error }));
    if (method === "thread/resume" && params.threadId !== undefined) this.onJoin(params.threadId);
  }

  #findProblem(message: Message): string | null {
    const { id, method, result } = message;
    if (method !== undefined)
      return problem(id === undefined ? "ClientNotification" : "ClientRequest", message);
    if (result === undefined) return problem("JSONRPCError", message);
    const response = RELAYED[this.#requests.get(id) ?? ""];
    return response === undefined ? "it answers what nobody asked" : problem(response, result);
  }

  #makeResult(method: string, { threadId }: { threadId?: string }): object {
    const thread = this.threads.find(({ id }) => id === threadId);
    if (method === "thread/loaded/list") return { data: this.threads.map(({ id }) => id), nextCursor: null };
    return thread ? { thread } : { userAgent: "double" };
  }
}
