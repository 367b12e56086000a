/**
 * No tap is lost without its person being told, and none acts twice, while Slack's answers are cut at many bytes and its connections
 * are replaced. Prints how long taps take.
 */
import { afterEach, beforeEach, describe, it } from "vitest";
import { FakeWorker } from "../../support/fake-worker.js";
import { seeded } from "../../support/seeded.js";
import { readable } from "../../support/slack/conversations.js";
import { startSlack, type Message, type SlackEmulator, type User } from "../../support/slack/emulator.js";
import { listButtons } from "../../support/slack/payloads.js";
import { CutAnswers } from "./support/cut-answers.js";
import { BULK_HANG_MS, scaleCount, SEED } from "../../security/support/scale.js";
import { namesPrompt, print, WatchedHub } from "./support/watched-hub.js";

/** Of each method's answers; another run cuts at other bytes. */
const POSITIONS = scaleCount(40, 3);
const OPEN = "apps.connections.open";
const CHANNELS = ["C0CUT0001", "C0CUT0002", "C0CUT0003", "C0CUT0004"];

describe("Slack's answers, cut at many bytes", () => {
  let watched: WatchedHub;
  let slack: SlackEmulator;
  let ara: User;
  let workers: FakeWorker[];
  let unheard = 0;

  beforeEach(async () => {
    watched = new WatchedHub();
    slack = await startSlack({ rates: null });
    ara = slack.user("U0ARA", "Ara");
    for (const channel of CHANNELS) slack.channel(channel, [ara]);
    const { botToken, appToken, apiUrl } = slack;
    await watched.start({
      people: [{ name: "Ara", identities: [`slack:${slack.world.team.id}/${ara.id}`], role: "approver" }],
      channels: {
        slack: { bot_token: botToken, app_token: appToken, api_url: apiUrl, deliver_to: CHANNELS },
      },
      routes: CHANNELS.map((channel) => ({ labels: [channel], deliver_to: [`slack:${channel}`] })),
    });
    workers = CHANNELS.map((label) => new FakeWorker(watched.home.paths, { label }));
    await slack.waitFor(() => connections().length === 1, "a connection");
  });

  afterEach(async () => {
    for (const worker of workers) worker.close();
    await slack.stop();
    await watched.close();
  });

  const connections = () => slack.world.gateway.connections;
  const hasButtons = (post: Message): boolean => listButtons(post).length > 0;

  async function askAndTap(worker: FakeWorker, channel: string): Promise<void> {
    const shortId = await worker.raise();
    const isCard = (post: Message): boolean =>
      hasButtons(post) && namesPrompt(readable(post.blocks), shortId);
    const find = (): Message | undefined => slack.posts(channel).findLast(isCard);
    const card = await slack.waitFor(find, `the card of ${shortId}`);
    await watched.tap(worker, () => pressUntilHeard(card));
  }

  /**
   * A tap that comes while its connection is being closed reaches nobody. Slack tells the person, who presses again. A tap over a
   * connection that still stands must reach the hub.
   */
  async function pressUntilHeard(card: Message): Promise<void> {
    for (;;) {
      const { ack } = ara.press(card, 0);
      const over = slack.world.gateway.records.at(-1)?.connection;
      const { kind } = await ack;
      if (kind === "acked" || (kind === "timeout" && connections().some(({ id }) => id === over))) return;
      unheard += 1;
      await slack.waitFor(() => connections().length > 0, "a connection");
    }
  }

  /** The hub changes 40 cards a minute, and more are answered. So the wait goes on for as long as one after the other is settled. */
  async function waitUntilSettled(): Promise<void> {
    const countOpen = (): number =>
      CHANNELS.flatMap((channel) => slack.posts(channel).filter(hasButtons)).length;
    for (let open = countOpen(); open > 0;) {
      const before = open;
      const findFewer = (): number | null => (countOpen() < before ? countOpen() : null);
      open = await slack.waitFor(findFewer, `the next of ${before} cards to be settled`);
    }
  }

  /** As the service does now and then; the older connection is closed once the newer one stands. */
  async function replaceConnections(cutter: CutAnswers): Promise<void> {
    while (!cutter.done) {
      await slack.waitFor(() => connections().length === 1, "one connection");
      const [old] = connections();
      slack.world.gateway.recycle("warning");
      await slack.waitFor(() => connections().some((one) => one !== old), "another connection");
    }
  }

  it("loses no tap and doubles none", { timeout: BULK_HANG_MS }, async () => {
    const methods = [OPEN, "chat.postMessage", "chat.update"];
    const cutter = new CutAnswers(methods, POSITIONS, seeded(SEED));
    slack.breaks = ({ method, given }, reply) => {
      // A new connection is asked for in the same words each time, but beside other ones.
      const standing = method === OPEN ? connections().map(({ id }) => id) : null;
      return cutter.breakReply(method, JSON.stringify({ given, standing }), reply);
    };
    const tapping = workers.map(async (worker, at) => {
      while (!cutter.done) await askAndTap(worker, CHANNELS[at] ?? "");
    });
    await Promise.all([...tapping, replaceConnections(cutter)]);
    print(`seed ${SEED}: ${cutter.cuts} of Slack's answers were cut, ${unheard} taps were made again`);
    await waitUntilSettled();
    watched.expectOneKeyEach(workers);
    watched.printTaps();
    watched.expectBoundedMemory("cut answers of Slack");
  });
});
