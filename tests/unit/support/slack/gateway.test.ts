/** The Slack emulator's Socket Mode gateway spreads, repeats, holds and reorders envelopes, and can end, cut or freeze connections. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startSlack, type EmulatorOptions, type SlackEmulator } from "../../../support/slack/emulator.js";
import type { Json } from "../../../support/slack/json.js";
import { RawClient } from "../../../support/slack/raw-client.js";

describe("the Socket Mode gateway of the Slack emulator", () => {
  let slack: SlackEmulator;
  const clients: RawClient[] = [];

  const open = async (over: EmulatorOptions = {}): Promise<void> => {
    await slack.stop();
    slack = await startSlack({ rates: null, ...over });
  };
  beforeEach(async () => {
    slack = await startSlack({ rates: null });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await slack.stop();
  });

  const address = async (): Promise<string> => {
    const response = await fetch(`${slack.apiUrl}apps.connections.open`, {
      method: "POST",
      headers: { authorization: `Bearer ${slack.appToken}` },
    });
    return String(((await response.json()) as Json)["url"]);
  };
  const connect = async (url?: string): Promise<RawClient> => {
    const client = await RawClient.connect(url ?? (await address()));
    client.onChange = () => slack.changed();
    clients.push(client);
    return client;
  };
  const until = (probe: () => boolean, what: string): Promise<boolean> => slack.waitFor(probe, what);
  const ready = async (): Promise<RawClient> => {
    const client = await connect();
    await until(() => client.messages.length === 1, "hello");
    return client;
  };
  const gateway = () => slack.world.gateway;
  const send = () => gateway().send("interactive", { type: "block_actions" });
  const event = (n: number) =>
    gateway().send("events_api", { event_id: `Ev${n}`, event: { type: "message" } });

  it("says hello with the number of connections", async () => {
    await ready();
    const second = await ready();
    expect(second.messages[0]).toMatchObject({
      type: "hello",
      num_connections: 2,
      connection_info: { app_id: "A0ATLAS" },
    });
  });

  it("takes a ticket once", async () => {
    const url = await address();
    await connect(url);
    await expect(connect(url)).rejects.toThrow("HTTP 408");
  });

  it("opens no connection while Socket Mode is off", async () => {
    const manifest = structuredClone(slack.world.manifest);
    Object.assign(manifest.settings, { socket_mode_enabled: false });
    await open({ manifest });
    expect(await address()).toBe("undefined");
  });

  it("sends the eleventh connection away", async () => {
    for (let count = 0; count < 10; count += 1) await ready();
    const last = await connect();
    await until(() => last.messages.length === 1 && last.controls.includes(8), "to be sent away");
    expect(last.messages[0]).toMatchObject({ type: "disconnect", reason: "too_many_websockets" });
  });

  it("spreads envelopes over the connections", async () => {
    const [one, two] = [await ready(), await ready()];
    void send();
    void send();
    await until(() => one.messages.length === 2 && two.messages.length === 2, "an envelope each");
  });

  it("waits for an acknowledgement, and no longer than it says", async () => {
    await open({ timing: { ackMs: 40 } });
    const client = await ready();
    const good = send();
    await until(() => client.messages.length === 2, "an envelope");
    client.ack(client.messages[1]!["envelope_id"]);
    expect(await good).toEqual({ kind: "acked", payload: {} });
    expect(await send()).toEqual({ kind: "timeout" });
    client.ack(client.messages[2]!["envelope_id"]);
    client.ack("nonsense");
    client.send("nonsense");
    await until(() => gateway().strays.length === 2, "the strays");
  });

  it("sends an event again that was not acknowledged, with its attempt, and an interaction never", async () => {
    await open({ timing: { ackMs: 20, eventRetryMs: [0, 10] } });
    const client = await ready();
    void event(1);
    await until(() => client.messages.length === 4, "three attempts");
    expect(client.messages.slice(1)).toMatchObject([
      { retry_attempt: 0, retry_reason: "", payload: { event_id: "Ev1" }, accepts_response_payload: false },
      { retry_attempt: 1, retry_reason: "timeout", payload: { event_id: "Ev1" } },
      { retry_attempt: 2, retry_reason: "timeout", payload: { event_id: "Ev1" } },
    ]);
    expect(new Set(client.messages.map(({ envelope_id: id }) => id)).size).toBe(4);
    expect(await send()).toEqual({ kind: "timeout" });
    expect(client.messages).toHaveLength(5);
  });

  it("keeps an event for the next connection when there is none", async () => {
    // Often enough for a client that is slow to connect.
    await open({ timing: { eventRetryMs: Array<number>(300).fill(30) } });
    expect(await event(1)).toEqual({ kind: "unsent" });
    const client = await ready();
    await until(() => client.messages.length === 2, "the event");
  });

  it("repeats an envelope under its own id, and holds and reorders others", async () => {
    const client = await ready();
    void send();
    await until(() => client.messages.length === 2, "an envelope");
    gateway().repeatLast();
    await until(() => client.messages.length === 3, "it again");
    expect(client.messages[2]!["envelope_id"]).toBe(client.messages[1]!["envelope_id"]);
    gateway().hold();
    void event(1);
    void event(2);
    gateway().release("reversed");
    await until(() => client.messages.length === 5, "both events");
    expect(client.messages.slice(3)).toMatchObject([
      { payload: { event_id: "Ev2" } },
      { payload: { event_id: "Ev1" } },
    ]);
  });

  it("warns before it recycles a connection, which works until then", async () => {
    await open({ timing: { recycleMs: 60 } });
    const client = await ready();
    gateway().recycle("warning");
    void send();
    await until(() => client.messages.length === 3, "a warning and an envelope");
    expect(client.messages[1]).toMatchObject({ type: "disconnect", reason: "warning" });
    await until(() => client.controls.includes(8), "the end");
  });

  it.each(["refresh_requested", "link_disabled"] as const)(
    "%s ends a connection there and then",
    async (reason) => {
      const client = await ready();
      gateway().recycle(reason);
      await until(() => client.controls.includes(8), "the end");
      expect(client.messages[1]).toMatchObject({ type: "disconnect", reason });
      expect(await send()).toEqual({ kind: "unsent" });
    },
  );

  it("completes a goodbye and leaves the line open, as the service does", async () => {
    const client = await ready();
    client.sendFrame(8, Buffer.from([3, 232]));
    await until(() => client.controls.includes(8), "the answer");
    expect(client.ended).toBe(false);
    expect(gateway().connections).toEqual([]);
  });

  it("can be cut, and can be dead without a word", async () => {
    await open({ timing: { ackMs: 20 } });
    const cut = await ready();
    gateway().cut();
    await until(() => cut.ended, "the cut");
    const dead = await ready();
    gateway().freeze();
    dead.sendFrame(9, Buffer.from("anybody there?"));
    expect(await send()).toEqual({ kind: "timeout" });
    expect([dead.controls, dead.ended]).toEqual([[], false]);
  });

  it("answers a ping while it lives", async () => {
    const client = await ready();
    client.sendFrame(9, Buffer.from("anybody there?"));
    await until(() => client.controls.includes(10), "a pong");
  });
});
