/**
 * A debugger's result brings its commands as buttons: a crash is looked into by taps alone. A tap is a command of whoever taps: it is
 * typed at most once, only by an approver, only from the newest result, and only in the mode in which it was offered.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { readDatabase } from "../property/hub/read-database.js";
import { eventually } from "../support/hub-home.js";
import { ChatConsole } from "../support/rig/chat-console.js";
import { type Rig, withRig } from "../support/rig/rig.js";
import { type SlackDesk, withSlack } from "../support/rig/slack-desk.js";
import { readable } from "../support/slack/conversations.js";
import type { Message as SlackMessage } from "../support/slack/emulator.js";
import { listButtons } from "../support/slack/payloads.js";
import type { Message, User } from "../support/telegram/emulator.js";
import { notInstalled, skipped } from "../support/skipped.js";

const CRASH_C = `struct node { int value; struct node *next; };
int last(struct node *n) {
  int seen = 1;
  while (n->next->next) seen++;
  return n->value + seen;
}
int main(void) {
  struct node only = { 7, 0 };
  return last(&only);
}
`;
const CRASH_PY =
  "def ratio(parts):\n    total = sum(parts)\n    return parts[0] / total\n\nprint(ratio([4, -4]))\n";
const BO = 2002;

function compileCrash({ home }: Rig): string {
  const program = join(home.folder, "crash");
  writeFileSync(`${program}.c`, CRASH_C);
  execFileSync("gcc", ["-g", "-O0", "-o", program, `${program}.c`]);
  return program;
}

function writeCrash({ home }: Rig): string {
  const path = join(home.folder, "crash.py");
  writeFileSync(path, CRASH_PY);
  return path;
}

/** Python at its prompt, and its debugger at the origin of the crash. */
async function openPostMortem(rig: Rig): Promise<ChatConsole> {
  const chat = await ChatConsole.open(rig, "py", "python3", writeCrash(rig));
  await eventually(() => chat.run.text.includes("ZeroDivisionError"));
  expect(await chat.say("import pdb; pdb.pm()")).toMatch(/mode pdb/);
  return chat;
}

/** The buttons of a console's messages in Telegram, as a person uses them. */
class Buttons {
  readonly #rig: Rig;
  readonly #chat: ChatConsole;

  constructor(rig: Rig, chat: ChatConsole) {
    this.#rig = rig;
    this.#chat = chat;
  }

  /** The newest message that has buttons. */
  offer(): Promise<Message> {
    const find = (): Message | undefined => this.#posts.findLast(({ buttons }) => buttons.length > 0);
    return this.#chat.until(find, "a message with buttons");
  }

  /** Taps a button of the newest message that has any, and gives the next message that matches. */
  async tap(label: string, expected: RegExp): Promise<string> {
    const offer = await this.offer();
    const told = await this.tapToken(offer, findButton(offer, label));
    if (told !== "") throw new Error(`a tap on ${label} was refused: ${told}`);
    return this.#chat.next(expected);
  }

  /** Taps a button that the message has, or had; what pops up is the answer. */
  async tapToken(message: Message, token: string, by: User = this.#rig.phone.user): Promise<string> {
    return (await by.pressToken(message.id, token, message.chatId).answered()).text;
  }

  /** The message as it stands now. */
  shown({ id }: Message): Message | undefined {
    return this.#posts.find((post) => post.id === id);
  }

  get #posts(): readonly Message[] {
    return this.#rig.telegram.posts(this.#rig.phone.user.id).filter(({ document }) => !document);
  }
}

/** The token of the button. */
function findButton({ buttons, text }: Message, label: string): string {
  const button = buttons.flat().find((each) => each.text === label);
  if (!button) throw new Error(`no button ${label} under\n${text}`);
  return button.data;
}

function countSteps({ home }: Rig, step: string): number {
  const sql = "SELECT step FROM audit WHERE step = ?";
  return readDatabase(home.paths.database, sql, [step]).length;
}

describe.concurrent("a debugger's commands as buttons on the phone", () => {
  it.skipIf(skipped(notInstalled("gdb", "gcc")))("look into a crash in C by taps alone", () =>
    withRig(async (rig) => {
      const chat = await ChatConsole.open(rig, "c", "gdb", compileCrash(rig));
      const buttons = new Buttons(rig, chat);
      expect(await chat.say("run")).toMatch(/SIGSEGV[^]*crash\.c:4/);
      const first = await buttons.offer();
      expect(first.buttons.map((row) => row.map(({ text }) => text))).toEqual([
        ["Step", "Next", "Out"],
        ["Continue", "Locals", "Backtrace"],
        ["Run"],
      ]);
      expect(await buttons.tap("Backtrace", /“backtrace”/)).toMatch(/#0 {2}[^]*last[^]*#1 {2}[^]*main/);
      // The buttons are only under the newest result, and the older one keeps what it says.
      await eventually(() => buttons.shown(first)?.buttons.length === 0);
      expect(buttons.shown(first)?.text).toMatch(/^▶️ “backtrace”, by Ara\n\n▪️ c: “run”[^]*SIGSEGV/);
      expect(await buttons.tap("Locals", /“info locals”/)).toMatch(/\nseen = 1$/);
      expect(await buttons.tap("Next", /“next”/)).toMatch(/terminated with signal SIGSEGV/);
      expect(await buttons.tap("Continue", /“continue”/)).toMatch(/The program is not being run\.$/);
      expect(await buttons.tap("Run", /“run”/)).toMatch(/SIGSEGV/);
      expect(await buttons.tap("Step", /“step”/)).toMatch(/no longer exists/);
      expect(countSteps(rig, "console_command")).toBe(7);
    }),
  );

  it("step through a script in pdb, and are gone once Python is left", () =>
    withRig(async (rig) => {
      const chat = await ChatConsole.open(rig, "py", "python3", "-m", "pdb", writeCrash(rig));
      const buttons = new Buttons(rig, chat);
      await eventually(() => chat.run.text.includes("(Pdb) "));
      await chat.say("p 1", /“p 1”/);
      expect(await buttons.tap("Next", /“next”/)).toMatch(/-> print/);
      expect(await buttons.tap("Step", /“step”/)).toMatch(/-> def ratio/);
      expect(await buttons.tap("Continue", /“continue”/)).toMatch(/ZeroDivisionError/);
      expect(await buttons.tap("Backtrace", /“where”/)).toMatch(/ratio\(\)[^]*parts\[0\] \/ total/);
      expect(await buttons.tap("Locals", /“pp locals\(\)”/)).toMatch(/'total': 0/);
      const last = await buttons.offer();
      await rig.home.run("console", "off", "py");
      await eventually(() => buttons.shown(last)?.buttons.length === 0);
      expect(buttons.shown(last)?.text).toMatch(/^⌨️ The console is closed\.\n\n/);
      expect(await buttons.tapToken(last, findButton(last, "Step"))).toMatch(/^Nothing was typed/);
    }));

  it("type nothing for a viewer, a stranger, or from an older result", () =>
    withRig(async (rig) => {
      const config = parse(readFileSync(rig.home.paths.config, "utf8")) as { people: unknown[] };
      config.people.push({ name: "Bo", identities: [`telegram:${BO}`], role: "viewer" });
      writeFileSync(rig.home.paths.config, stringify(config), { mode: 0o600 });
      const chat = await openPostMortem(rig);
      const buttons = new Buttons(rig, chat);
      const offer = await buttons.offer();
      const token = findButton(offer, "Locals");
      const refused = "You may not give this session commands.";
      expect(await buttons.tapToken(offer, token, rig.telegram.user(BO, "Bo"))).toBe(refused);
      expect(await buttons.tapToken(offer, token, rig.stranger)).toBe(refused);
      expect(buttons.shown(offer)?.buttons).toEqual(offer.buttons);
      expect(await chat.say("p total")).toMatch(/\n0$/);
      await eventually(() => buttons.shown(offer)?.buttons.length === 0);
      expect(await buttons.tapToken(offer, token)).toMatch(/^Nothing was typed: a further command was given/);
      expect([countSteps(rig, "console_command"), countSteps(rig, "console_refused")]).toEqual([2, 3]);
      expect(chat.run.text).not.toContain("pp locals()");
    }));

  it("type a command once, however often the service delivers the tap", () =>
    withRig(async (rig) => {
      const chat = await openPostMortem(rig);
      const buttons = new Buttons(rig, chat);
      const offer = await buttons.offer();
      const tap = rig.phone.user.pressToken(offer.id, findButton(offer, "Locals"), offer.chatId);
      for (const as of ["same", "new"] as const) rig.telegram.world.updates.repeat(tap.updateId ?? 0, as);
      await chat.next(/“pp locals\(\)”/);
      // Updates are handled in order: this one comes after the repeated ones.
      expect(await chat.say("p total", /“p total”/)).toMatch(/\n0$/);
      expect([countSteps(rig, "console_command"), countSteps(rig, "console_refused")]).toEqual([3, 1]);
      expect(chat.run.text.split("(Pdb) pp locals()")).toHaveLength(2);
    }));

  it("type nothing once the person at the terminal has left the debugger", () =>
    withRig(async (rig) => {
      const chat = await openPostMortem(rig);
      const buttons = new Buttons(rig, chat);
      const shown = chat.run.text.length;
      chat.run.terminal.press("q\r");
      await eventually(() => chat.run.text.slice(shown).includes(">>> "));
      expect(await buttons.tap("Next", /“next”/)).toBe(
        "⚠️ py: “next”\nNothing was typed: the program has left its mode pdb, in which this was offered.",
      );
      expect(chat.run.text.slice(shown)).not.toContain("next");
      // What it says has no buttons: Python's own mode offers none.
      expect(await chat.say("1 + 1")).toMatch(/mode main\n2$/);
      await eventually(() =>
        rig.telegram.posts(rig.phone.user.id).every((post) => post.buttons.length === 0),
      );
    }));
});

describe("a debugger's commands as buttons in Slack", () => {
  it.skipIf(skipped(notInstalled("gdb", "gcc")))("look into a crash in C by clicks alone", () =>
    withSlack(async (rig, desk) => {
      rig.run(["gdb", compileCrash(rig)], { label: "c", flags: ["--console"] });
      const find = (pattern: RegExp): Promise<SlackMessage> => findPost(desk, pattern);
      const opening = await find(/its console is open/);
      await desk.connected();
      const threadTs = opening.threadTs ?? opening.ts;
      desk.ara.mention(desk.place, "run", { threadTs });
      const crash = await find(/“run”[^]*SIGSEGV/);
      const click = async (label: string, shown: RegExp, from: SlackMessage): Promise<SlackMessage> => {
        await desk.ara.press(from, label).ack;
        return find(shown);
      };
      const trace = await click("Backtrace", /“backtrace”[^]*#0 [^]*last[^]*#1 [^]*main/, crash);
      await desk.slack.waitFor(() => !hasButtons(desk, crash), "the buttons to go");
      expect(desk.shown(crash)).toMatch(/^▶️ “backtrace”, by Ara/);
      expect(desk.shown(crash)).toContain("SIGSEGV");
      const locals = await click("Locals", /“info locals”[^]*seen = 1/, trace);
      const next = await click("Next", /“next”[^]*terminated with signal SIGSEGV/, locals);
      await click("Continue", /“continue”[^]*The program is not being run/, next);
      const [first] = listButtons(crash);
      expect(await desk.ara.pressButton(crash, first ?? {}).told()).toMatch(
        /^Nothing was typed: a further command/,
      );
      expect(countSteps(rig, "console_command")).toBe(5);
    }),
  );
});

function findPost(desk: SlackDesk, pattern: RegExp): Promise<SlackMessage> {
  return desk.slack.waitFor(
    () => desk.slack.posts(desk.place).find(({ blocks }) => pattern.test(readable(blocks))),
    String(pattern),
  );
}

function hasButtons({ slack }: SlackDesk, { channel, ts }: SlackMessage): boolean {
  const shown = slack.messages(channel).find((each) => each.ts === ts);
  return shown !== undefined && listButtons(shown).length > 0;
}
