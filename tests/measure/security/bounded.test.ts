/**
 * Input from outside is bounded: a real hub with a worker takes every tap under a ledger of 300,000 prompts, as many updates
 * of strangers and a thousand hostile connections, and keeps few rows and little memory. Prints how long taps take.
 */
import Database from "better-sqlite3";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identifyHub } from "../../../src/client/connect/meet-hub.js";
import { listHubSockets } from "../../../src/config/private-files.js";
import { dial } from "../../../src/wire/dial.js";
import { PROTOCOL_VERSION } from "../../../src/wire/messages.js";
import { FakeWorker } from "../../support/fake-worker.js";
import type { HubHome } from "../../support/hub-home.js";
import { startTelegram, type TelegramEmulator, type User } from "../../support/telegram/emulator.js";
import { makeLargeLedger } from "../../security/support/large-ledger.js";
import { scaleCount } from "../../security/support/scale.js";
import { mb, print, WatchedHub } from "./support/watched-hub.js";

const PROMPTS = scaleCount(300_000, 10_000);
const STRANGERS = scaleCount(300_000, 10_000);
const CONNECTIONS = scaleCount(1_000, 300);

/** A wave fits into the service's memory here. */
const WAVE = 2_000;
const ARA = 1001;

describe("a hub under everything at once", () => {
  let watched: WatchedHub;
  let home: HubHome;
  let telegram: TelegramEmulator;
  let ara: User;
  let worker: FakeWorker;

  beforeAll(async () => {
    watched = new WatchedHub();
    home = watched.home;
    telegram = await startTelegram({ rate: null });
    ara = telegram.user(ARA, "Ara");
    mkdirSync(home.paths.dataDir, { recursive: true, mode: 0o700 });
    const made = performance.now();
    await makeLargeLedger(home.paths.database, PROMPTS);
    print(`ledger of ${PROMPTS} questions made in ${seconds(made)}`);
    const started = performance.now();
    await watched.start({
      people: [{ name: "Ara", identities: [`telegram:${ARA}`], role: "approver" }],
      channels: { telegram: { token: telegram.token, api_root: telegram.apiRoot, deliver_to: [ARA] } },
    });
    print(`the hub serves after ${seconds(started)}`);
    worker = new FakeWorker(home.paths);
    await tapOnce();
  }, 600_000);

  afterAll(async () => {
    worker.close();
    await telegram.stop();
    await watched.close();
  });

  async function ask(): Promise<number> {
    const shortId = await worker.raise();
    const find = () => telegram.posts(ARA).findLast(({ text }) => text.includes(` · ${shortId}`));
    const { id: card } = await telegram.waitFor(find, `the card of ${shortId}`);
    return card;
  }

  async function tapOnce(): Promise<void> {
    const card = await ask();
    await watched.tap(worker, () => ara.press(card, 0));
  }

  it("a list of all prompts has each once, and taps get through from its first page to its last", async () => {
    const { hub: client } = (await identifyHub({ paths: home.paths }))!;
    const pages = scaleCount(2_000, 100);
    const seen = new Set<string>();
    let listed = 0;
    let after: string | undefined;
    for (let page = 0; page < pages; page += 1) {
      const items = await client.call("prompts.list", { all: true, ...(after ? { after } : {}) });
      if (items.length === 0) {
        expect(listed).toBeGreaterThanOrEqual(PROMPTS);
        break;
      }
      for (const { promptId } of items) seen.add(promptId);
      listed += items.length;
      after = items.at(-1)?.promptId;
      if (page % 50 === 0) await tapOnce();
    }
    print(`${listed} questions listed in ${pages} pages at most`);
    expect(seen.size).toBe(listed);
    const last = `a${String(PROMPTS - 1).padStart(7, "0")}-0000-4000-8000-000000000000`;
    expect((await client.call("prompts.list", { all: true, after: last })).length).toBeGreaterThan(0);
    client.close();
    watched.expectBoundedMemory("lists");
  });

  it("strangers leave a bounded number of rows, and people's taps get through", async () => {
    const before = bytesBelow(home.folder);
    for (let sent = 0; sent < STRANGERS; sent += WAVE) {
      for (let at = 0; at < WAVE; at += 1) telegram.world.updates.add("message", strangersMessage(sent + at));
      telegram.changed();
      if (sent % (WAVE * 5) === 0) await tapOnce();
      await telegram.waitFor(
        () => telegram.world.updates.pending.length === 0,
        "the wave to be taken",
        120_000,
      );
    }
    const rows = (sql: string): number => {
      const sqlite = new Database(home.paths.database, { readonly: true });
      const { n } = sqlite.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${sql}`).get() ?? { n: -1 };
      sqlite.close();
      return n;
    };
    const grown = bytesBelow(home.folder) - before;
    print(
      `${STRANGERS} updates of strangers: ${rows("spool")} rows kept, the data directory grew by ${mb(grown)}`,
    );
    expect(rows("spool")).toBeLessThan(2_000);
    expect(grown).toBeLessThan(64 * 1024 * 1024);
    watched.expectBoundedMemory("strangers");
  });

  it("hostile connections take neither memory nor a worker's turn", async () => {
    const sockets: Socket[] = [];
    for (let at = 0; at < CONNECTIONS; at += 1) {
      const socket = await dial(listHubSockets(home.paths)[0]).catch(() => null);
      if (!socket) continue;
      sockets.push(socket.on("error", () => undefined));
      socket.resume();
      if (at % 3 === 0) socket.write(Buffer.alloc(500_000, "x"));
      if (at % 3 === 1)
        socket.write(
          `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "hub.hello", params: { protocol: PROTOCOL_VERSION, version: "0" } })}\n${"y".repeat(900_000)}`,
        );
      if (at % 100 === 0) await tapOnce();
    }
    await tapOnce();
    for (const socket of sockets) socket.destroy();
    expect(worker.states.filter((state) => state === "connected").length).toBe(1);
    watched.expectBoundedMemory(`${CONNECTIONS} hostile connections`);
  });

  it("every tap under this load has one key", () => {
    watched.printTaps();
    watched.expectOneKeyEach([worker]);
  });
});

function strangersMessage(n: number): unknown {
  const id = 5_000_000 + (n % 50_000);
  const from = { id, is_bot: false, first_name: `Stranger ${id}` };
  return {
    message_id: n + 1,
    date: 0,
    from,
    chat: { id, type: "private", first_name: "x" },
    text: "let me in ".repeat(20),
  };
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) =>
        sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
