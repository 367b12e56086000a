/** No tap is lost or acts twice while Telegram's answers, head and body, are cut at many bytes. Prints how long taps take. */
import { afterEach, beforeEach, describe, it } from "vitest";
import { FakeWorker } from "../../support/fake-worker.js";
import { eventually } from "../../support/hub-home.js";
import { seeded } from "../../support/seeded.js";
import { startTelegram, type TelegramEmulator } from "../../support/telegram/emulator.js";
import { CutAnswers } from "./support/cut-answers.js";
import { BULK_HANG_MS, scaleCount, SEED } from "../../security/support/scale.js";
import { namesPrompt, print, WatchedHub } from "./support/watched-hub.js";

/** Of each method's answers; another run cuts at other bytes. */
const POSITIONS = scaleCount(100, 6);
/** A chat takes few messages a minute: so many chats make more of them. */
const CHATS = 24;
const FIRST = 1001;
/** A poll that waited brings the tap that ended its wait. One that did not brings what a cut had held up, and nobody meets two cuts. */
const WAITED_MS = 5;

describe("Telegram's answers, cut at many bytes", () => {
  let watched: WatchedHub;
  let telegram: TelegramEmulator;
  let workers: FakeWorker[];
  const chats = Array.from({ length: CHATS }, (_, at) => FIRST + at);

  beforeEach(async () => {
    watched = new WatchedHub();
    telegram = await startTelegram({ rate: null });
    for (const chat of chats) telegram.user(chat);
    await watched.start({
      people: chats.map((chat) => ({
        name: `P${chat}`,
        identities: [`telegram:${chat}`],
        role: "approver",
      })),
      channels: { telegram: { token: telegram.token, api_root: telegram.apiRoot, deliver_to: chats } },
      routes: chats.map((chat) => ({ labels: [`s${chat}`], deliver_to: [`telegram:${chat}`] })),
    });
    workers = chats.map((chat) => new FakeWorker(watched.home.paths, { label: `s${chat}` }));
  });

  afterEach(async () => {
    for (const worker of workers) worker.close();
    await telegram.stop();
    await watched.close();
  });

  async function askAndTap(worker: FakeWorker, chat: number): Promise<void> {
    const shortId = await worker.raise();
    // The card is there for the person, whatever the hub has heard of that.
    const find = () =>
      telegram.posts(chat).findLast(({ text, buttons }) => namesPrompt(text, shortId) && buttons.length > 0);
    const { id: card } = await telegram.waitFor(find, `the card of ${shortId}`);
    await watched.tap(worker, () => telegram.user(chat).press(card, 0));
  }

  /** The service refuses an answer to a tap that is older than 15 s. */
  function wasAnsweredTooLate(query: string): boolean {
    const answers = telegram.listRequests("answerCallbackQuery");
    return answers.some(({ payload, status }) => payload["callback_query_id"] === query && status === 400);
  }

  it("loses no tap and doubles none", { timeout: BULK_HANG_MS }, async () => {
    const methods = ["getUpdates", "sendMessage", "editMessageText", "answerCallbackQuery"];
    const cutter = new CutAnswers(methods, POSITIONS, seeded(SEED));
    telegram.breaks = ({ method, payload, at }, reply) =>
      method === "getUpdates" && performance.now() - at < WAITED_MS
        ? null
        : cutter.breakReply(method, findCall(method, payload, reply), reply);
    await Promise.all(
      workers.map(async (worker, at) => {
        while (!cutter.done) await askAndTap(worker, chats[at]!);
      }),
    );
    print(`seed ${SEED}: ${cutter.cuts} of Telegram's answers were cut`);
    await eventually(() => telegram.unanswered.every(wasAnsweredTooLate));
    const open = (): number =>
      chats.flatMap((chat) => telegram.posts(chat).filter(({ buttons }) => buttons.length > 0)).length;
    await telegram.waitFor(() => open() === 0, "every card to be settled");
    watched.expectOneKeyEach(workers);
    watched.printTaps();
    watched.expectBoundedMemory("cut answers of Telegram");
  });
});

/** What stays the same when a call is made again; null where nothing would be. */
function findCall(method: string, payload: Readonly<Record<string, unknown>>, reply: Buffer): string | null {
  if (method === "getUpdates") return /"update_id":\d+/.exec(reply.toString("latin1"))?.[0] ?? null;
  const { callback_query_id: query, chat_id: chat, message_id: message, text } = payload;
  return JSON.stringify([query, chat, message, text]);
}
