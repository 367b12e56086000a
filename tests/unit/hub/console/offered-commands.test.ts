/** The buttons under a debugger's result: a tap is a command of its person, given at most once and only from the newest result. */
import { describe, expect, it } from "vitest";
import { asId, type Identity, type SessionId } from "../../../../src/model/ids.js";
import type { NoticeButton } from "../../../../src/sdk/channel.js";
import type { ConsoleResult } from "../../../../src/wire/calls/console-calls.js";
import type { WorkerLink } from "../../../../src/wire/connection-ends.js";
import { makeConsoleResult } from "../../../support/console-result.js";
import { CAPABILITIES, configureChannel, type FakeChannel, type Message, turns } from "../fake-channel.js";
import { ARA, makeRig, type Rig, type RigOptions, sessionParams, SETTINGS } from "../rig.js";

const CONSOLE = asId<SessionId>("33333333-3333-4333-8333-333333333333");
const PERSON = { sessionId: null };
const OFFERS = [
  { label: "Next", command: "next" },
  { label: "Locals", command: "info locals" },
];

interface Given {
  readonly command: string;
  readonly mode?: string | null;
}

async function openConsole(options: RigOptions = {}, offers: ConsoleResult["offers"] = OFFERS) {
  const rig = await makeRig(options);
  const given: Given[] = [];
  /** Its connection is lost with the next command. */
  const worker = { isLost: false };
  const link: WorkerLink = {
    call: (method: string, params: unknown) => {
      if (method === "console.state") return Promise.resolve({ open: true, problem: null, status: null });
      if (method === "console.run") {
        const { command, mode } = params as Given;
        given.push({ command, ...(mode !== undefined && { mode }) });
        if (worker.isLost) return new Promise<never>(() => undefined);
        const result = makeConsoleResult({ text: `ran ${command}`, mode: "stopped", offers });
        return Promise.resolve(result);
      }
      if (method === "console.act") return Promise.resolve({ problem: null, result: null, text: null });
      return Promise.resolve({ problem: null, result: null });
    },
  };
  const capabilities = { chatTurns: false, screenView: true, console: true };
  const params = sessionParams({ sessionId: CONSOLE, tool: "debugger", label: "work", capabilities });
  await rig.core.handlers["session.open"](params, PERSON);
  rig.core.connected(CONSOLE, link);
  await turns();
  const say = async (text: string): Promise<Message> => {
    await rig.chat.text(`$ ${text}`);
    await wait(rig);
    return newest(rig.chat);
  };
  return { ...rig, rig, given, worker, say };
}

/** The place takes one message a second. */
async function wait({ clock }: Pick<Rig, "clock">): Promise<void> {
  for (let seconds = 0; seconds < 4; seconds++) {
    clock.advance(1_000);
    await turns();
  }
}

function newest({ messages }: FakeChannel): Message {
  const message = messages.at(-1);
  if (!message) throw new Error("no message was posted");
  return message;
}

function listButtons({ notice, outcome }: Message): readonly NoticeButton[] {
  return outcome === null ? (notice.buttons ?? []) : (outcome.buttons ?? []);
}

async function tap(chat: FakeChannel, message: Message, label: string, identity = "chat:1"): Promise<string> {
  const button = message.notice.buttons?.find(({ choice }) => choice.label === label);
  if (!button) throw new Error(`no button ${label}`);
  const place = String(message.ref.place);
  const from = { identity: asId<Identity>(identity), place, receivedAt: 0 };
  await chat.receive({ kind: "tap", token: button.token, ref: message.ref, ...from });
  return chat.lastAnswer ?? "";
}

/** The steps of the audit about commands, each with who did it. */
function listSteps({ store }: Pick<Rig, "store">): string[] {
  return [...store.audit.readAfter(0)]
    .filter(({ step }) => step === "console_command" || step === "console_refused")
    .map(({ step, identity }) => `${step} ${identity}`);
}

const OLDER =
  "Nothing was typed: a further command was given since, or the console was closed. The newest result has the buttons.";

describe("the buttons under a debugger's result", () => {
  it("run the offered command in the mode in which it was offered, on record as that person's", async () => {
    const { rig, given, say, chat } = await openConsole();
    const first = await say("run");
    expect(listButtons(first).map(({ choice }) => choice.label)).toEqual(["Next", "Locals"]);
    expect(await tap(chat, first, "Locals")).toBe("");
    await wait(rig);
    expect(given).toEqual([{ command: "run" }, { command: "info locals", mode: "stopped" }]);
    expect(first.outcome).toEqual({ state: "withdrawn", text: "▶️ “info locals”, by Ara", final: true });
    expect(newest(chat).notice).toMatchObject({ block: "ran info locals" });
    expect(listButtons(newest(chat))).toHaveLength(2);
    expect(listSteps(rig)).toEqual(["console_command chat:1", "console_command chat:1"]);
  });

  it("run nothing for people who may not give commands", async () => {
    const people = [ARA, { name: "Bo", identities: ["chat:2"], role: "viewer" as const }];
    const { rig, given, say, chat } = await openConsole({ settings: { ...SETTINGS, people } });
    const first = await say("run");
    for (const identity of ["chat:2", "chat:3"])
      expect(await tap(chat, first, "Next", identity)).toBe("You may not give this session commands.");
    await rig.core.setPaused(true, "chat:1" as never);
    expect(await tap(chat, first, "Next")).toBe("AtlasBridge is paused; nothing was typed.");
    await rig.core.setPaused(false, "chat:1" as never);
    expect(first.outcome).toBeNull();
    expect(await tap(chat, first, "Next")).toBe("");
    expect(given.map(({ command }) => command)).toEqual(["run", "next"]);
    expect(listSteps(rig).slice(1)).toEqual([
      ...["chat:2", "chat:3", "chat:1"].map((identity) => `console_refused ${identity}`),
      "console_command chat:1",
    ]);
  });

  it("run nothing a second time, nor once a further command was given, wherever that was", async () => {
    const { rig, given, say, chat } = await openConsole();
    const first = await say("run");
    await tap(chat, first, "Next");
    expect(await tap(chat, first, "Next")).toBe(OLDER);
    await wait(rig);
    const second = newest(chat);
    const wish = { sessionId: CONSOLE, commandId: "c", command: "info threads", timeoutMs: 1 };
    await rig.core.handlers["console.run"](wish, PERSON);
    expect(await tap(chat, second, "Locals")).toBe(OLDER);
    await wait(rig);
    // What was typed at the machine is not shown to the chat.
    expect(second.outcome?.text).toBe("▶️ A further command was given.");
    expect(given.map(({ command }) => command)).toEqual(["run", "next", "info threads"]);
  });

  it("make a tap the newest command: what was written before it is not typed any more", async () => {
    const { rig, given, say, chat } = await openConsole();
    const first = await say("run");
    const at = rig.clock.now();
    const token = listButtons(first)[0]?.token ?? "";
    const from = { identity: asId<Identity>("chat:1"), place: "p1", receivedAt: 0 };
    await chat.receive({ kind: "tap", token, ref: first.ref, ...from, sentAt: at });
    await wait(rig);
    await chat.receive({
      ...{ kind: "text", text: "$ step", about: CONSOLE, displayName: "Ara", ...from },
      sentAt: at - 1,
    });
    await wait(rig);
    expect(given.map(({ command }) => command)).toEqual(["run", "next"]);
    expect(JSON.stringify(newest(chat).notice)).toContain("it came late, after a newer one");
  });

  it("stay where a written command came too late to be typed", async () => {
    const { rig, given, say, chat } = await openConsole();
    const first = await say("run");
    const about = { about: CONSOLE, identity: asId<Identity>("chat:1"), displayName: "Ara", place: "p1" };
    const sentAt = rig.clock.now() - 11 * 60_000;
    await chat.receive({ kind: "text", text: "$ step", ...about, receivedAt: 0, sentAt });
    await wait(rig);
    expect(first.outcome).toBeNull();
    expect(given.map(({ command }) => command)).toEqual(["run"]);
  });

  it("are gone with the console, and with the session", async () => {
    const { rig, say, chat } = await openConsole();
    const first = await say("run");
    await rig.core.handlers["console.set"]({ sessionId: CONSOLE, open: false }, PERSON);
    await wait(rig);
    expect(first.outcome?.text).toBe("⌨️ The console is closed.");
    expect(await tap(chat, first, "Next")).toBe(OLDER);
    const second = await say("run");
    const ended = { sessionId: CONSOLE, exitCode: 0, signal: null };
    await rig.core.handlers["session.close"](ended, { sessionId: CONSOLE });
    await wait(rig);
    expect(second.outcome?.text).toBe("▪️ No further command: the session ended.");
    expect(await tap(chat, second, "Next")).toBe("The session has ended; nothing was typed.");
  });

  it("run nothing again after the hub was killed while it gave the command", async () => {
    const before = await openConsole();
    const first = await before.say("run");
    before.worker.isLost = true;
    await tap(before.chat, first, "Next");
    before.store.close();
    // It is not known whether the call arrived, so the next hub asks for its result, and gives it to nobody again.
    const { path, clock, chat } = before;
    const after = await openConsole({ path, clock, chat });
    await wait(after);
    expect(await tap(chat, first, "Next")).toBe(OLDER);
    expect([before.given.map(({ command }) => command), after.given]).toEqual([["run", "next"], []]);
    expect(chat.texts().at(-1)).toMatch(/^❔ work: “next”\nIt is not known what became of it: /);
    expect(first.outcome?.text).toBe("▶️ “next”, by Ara");
  });

  it("are only where a channel has room for them and can take them away again", async () => {
    const channels: [string, object, number][] = [
      ["with all of it", {}, 2],
      ["without edits", { edit: false }, 0],
      ["without buttons", { buttonsMax: 0 }, 0],
      ["with short tokens", { tokenBytesMax: 8 }, 0],
    ];
    for (const [what, over, count] of channels) {
      const capabilities = { ...CAPABILITIES, ...over };
      const configuredChannels = (chat: FakeChannel) => [configureChannel(chat, { capabilities })];
      const { say } = await openConsole({ configuredChannels });
      expect([what, listButtons(await say("run")).length]).toEqual([what, count]);
    }
  });

  it("are none for a command that a message would not show as it is, and have safe labels", async () => {
    const safeText = (text: string): string => text.replaceAll("planted", "▒▒");
    const offers = [
      { label: "Next planted", command: "next" },
      { label: "Locals", command: "print planted" },
      { label: "Step", command: "info line\nshell rm x" },
      { label: "Out", command: `echo hello${" ".repeat(120)}; shell rm x` },
      { label: "Run", command: "   " },
    ];
    const { say } = await openConsole({ safeText }, offers);
    expect(listButtons(await say("run")).map(({ choice }) => choice.label)).toEqual(["Next ▒▒"]);
  });
});
