/** The real opencode in its terminal, joined beside it: what people see, what an answer does, and what is left of it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { bash } from "../support/corpus/opencode/moves.js";
import type { Scenario, ToolCall } from "../support/fake-model/script.js";
import { eventually } from "../support/hub-home.js";
import { SIZE_NAMES } from "../support/matrix/matrix.js";
import {
  withJoinedOpencode,
  type JoinedOpencode,
  type JoinedSetting,
} from "../support/real-cli/joined-opencode.js";
import { opencode, SLOW_MS } from "../support/real-cli/opencode.js";
import {
  findPort,
  processesBelow,
  procText,
  findServer,
  findTool,
  readVariable,
} from "../support/real-cli/opencode-server.js";
import { KEYS } from "../support/real-cli/terminal.js";
import type { Card } from "../support/rig/phone.js";
import { isAlive, listProcesses } from "../support/rig/processes.js";
import type { Rig } from "../support/rig/rig.js";
import { notLinux, skipped } from "../support/skipped.js";

vi.setConfig({ testTimeout: 240_000 });

const DIALOG = /Permission required/;
const OVER = /All done\.[\s\S]*▣/;
const CONFIRMED = /^✅ .*, by Ara, (?:confirmed|taken by opencode)/;
const AT_KEYBOARD = /^⌨️/;
const RIGHT = "\u001b[C";
const HELPER = "[[helper]]";

const options = [
  { label: "PostgreSQL", description: "a server" },
  { label: "SQLite", description: "a file" },
];
const database = { question: "Which database should we use?", header: "Database", options };
const more = {
  question: "Which tables shall I make?",
  header: "Tables",
  options: [
    { label: "people", description: "" },
    { label: "places", description: "" },
    { label: "prices", description: "" },
  ],
  multiple: true,
};

const turn =
  (...tools: readonly ToolCall[]): Scenario =>
  () => [{ text: "I will.", tools }, { text: "All done." }];
const asking = (...questions: readonly object[]): ToolCall => ({ name: "question", input: { questions } });

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  one: turn(bash("touch made-1.txt")),
  again: turn(bash("touch made-2.txt")),
  two: turn(bash("touch a1.txt"), bash("touch a2.txt")),
  file: ({ cwd }) => [
    { tools: [{ name: "write", input: { filePath: `${cwd}/new.txt`, content: "hello\nworld\n" } }] },
    { text: "All done." },
  ],
  long: turn(bash(`printf %s ${"x".repeat(5_000_000)} | wc -c > long.txt`)),
  env: turn(bash("env | sort > env.txt; env")),
  question: turn(asking(database)),
  question2: turn(asking(database)),
  several: turn(asking(more)),
  helped: () => [
    {
      tools: [
        {
          name: "task",
          input: { description: "Make a file", prompt: `Make a file. ${HELPER}`, subagent_type: "general" },
        },
      ],
    },
    { text: "All done." },
  ],
  helper: () => [{ tools: [bash("touch helped.txt")] }, { text: "The helper is done." }],
};

const installed = await opencode.install();

const joined = (setting: JoinedSetting, test: (parts: JoinedOpencode) => Promise<void>): Promise<void> =>
  withJoinedOpencode(
    { modules: installed.ok ? installed.modules : "", scenarios: SCENARIOS, ...setting },
    test,
  );

const confirmed = (card: Card): Promise<unknown> => eventually(() => CONFIRMED.test(card.text));
const states = async (rig: Rig): Promise<string[]> => (await rig.prompts()).map(({ state }) => state);

/** Files below a folder in which these words stand. */
function filesWith(folder: string, words: string): string[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return names
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file).includes(words));
}

describe.skipIf(skipped(installed.ok ? notLinux : installed.reason))(
  "the real opencode, joined beside its terminal",
  () => {
    it.each(SIZE_NAMES)("is allowed once and for good, %s: one card each, no key", (size) =>
      joined({ size }, async ({ run, asks, has, rig, task }) => {
        const edits = await asks("file");
        expect(edits.text).toContain("world");
        await run.terminal.waitFor(DIALOG, SLOW_MS);
        await run.terminal.settled();
        await edits.pressAnswer("Yes");
        await confirmed(edits);
        await eventually(() => has("new.txt"));
        await run.terminal.waitFor(OVER, SLOW_MS);
        const command = await asks("one");
        expect(command.text).toContain("touch made-1.txt");
        await run.terminal.waitFor(DIALOG, SLOW_MS);
        await run.terminal.settled();
        expect(await command.pressAnswer("don't ask again")).toContain("needs the number");
        command.reply(await run.number(command));
        await confirmed(command);
        await eventually(() => has("made-1.txt"));
        await task("again");
        await eventually(() => has("made-2.txt"));
        expect(await states(rig)).toEqual(["answered", "answered"]);
        expect(run.cards).toHaveLength(2);
      }),
    );

    it.each(SIZE_NAMES)("is told no, with words and without, and stopped at the keyboard, %s", (size) =>
      joined({ size }, async ({ run, asks, has, heard, rig }) => {
        const first = await asks("one");
        await run.terminal.waitFor(DIALOG, SLOW_MS);
        first.reply("3: use mkdir instead");
        await confirmed(first);
        await eventually(() => heard("use mkdir instead"));
        await run.terminal.waitFor(OVER, SLOW_MS);
        const second = await asks("again");
        await run.terminal.waitFor(DIALOG, SLOW_MS);
        await second.pressAnswer("stop the turn");
        await confirmed(second);
        await run.terminal.waitUntil((screen) => !DIALOG.test(screen), "a closed dialog", SLOW_MS);
        const third = await asks("one");
        await run.terminal.waitFor(DIALOG, SLOW_MS);
        await run.terminal.settled();
        run.terminal.press(KEYS.esc);
        expect(await third.settled(SLOW_MS)).toMatch(AT_KEYBOARD);
        await run.terminal.waitUntil((screen) => !DIALOG.test(screen), "a closed dialog", SLOW_MS);
        expect([has("made-1.txt"), has("made-2.txt")]).toEqual([false, false]);
        expect(await states(rig)).toEqual(["answered", "answered", "withdrawn"]);
        expect(run.cards).toHaveLength(3);
      }),
    );

    it.each(SIZE_NAMES)("asks two things at once: one tap answers one, the keyboard the other, %s", (size) =>
      joined({ size }, async ({ run, asks, has, rig, card }) => {
        const first = await asks("two");
        const second = await card();
        expect([first, second].map(({ text }) => /touch a\d/.exec(text)?.[0])).toEqual([
          "touch a1",
          "touch a2",
        ]);
        await run.terminal.waitFor(DIALOG, SLOW_MS);
        const [token = ""] = first.tokens;
        await first.pressAnswer("Yes");
        await first.pressOld(token);
        await confirmed(first);
        await eventually(() => has("a1.txt"));
        await run.terminal.waitFor(/\$ touch a2/, SLOW_MS);
        await run.terminal.settled();
        await first.pressOld(token);
        expect(has("a2.txt")).toBe(false);
        expect(second.buttons.length).toBeGreaterThan(0);
        // For good at the keyboard: its second page is no question of its own.
        run.terminal.press(RIGHT);
        run.terminal.press(KEYS.enter);
        await run.terminal.waitFor(/Always allow/, SLOW_MS);
        await run.terminal.settled();
        expect(run.cards).toHaveLength(2);
        run.terminal.press(KEYS.enter);
        expect(await second.settled(SLOW_MS)).toMatch(AT_KEYBOARD);
        await eventually(() => has("a2.txt"));
        expect(await states(rig)).toEqual(["answered", "withdrawn"]);
        expect(run.cards).toHaveLength(2);
      }),
    );

    it.each(SIZE_NAMES)("asks questions: an option, several, own words, %s", (size) =>
      joined({ size }, async ({ run, asks, heard, rig }) => {
        const one = await asks("question");
        await run.terminal.waitFor(/Which database/, SLOW_MS);
        await run.terminal.settled();
        await one.pressAnswer("SQLite");
        await confirmed(one);
        await eventually(() => heard('\\"Which database should we use?\\"=\\"SQLite\\"'));
        await run.terminal.waitFor(OVER, SLOW_MS);
        const several = await asks("several");
        await run.terminal.waitFor(/Which tables/, SLOW_MS);
        several.reply("1,3");
        await confirmed(several);
        await eventually(() => heard("people, prices"));
        const own = await asks("question2");
        own.reply("3: MariaDB, please");
        await confirmed(own);
        await eventually(() => heard("MariaDB, please"));
        expect(await states(rig)).toEqual(["answered", "answered", "answered"]);
        expect(run.cards).toHaveLength(3);
      }),
    );

    it("asks what an agent of its own asks, and what sessions ask that it does not show", () =>
      joined({}, async ({ run, rig, asks, has, card, cwd }) => {
        const helped = await asks("helped");
        expect(helped.text).toContain("helped.txt");
        // What shows that its agent works moves on: nothing to wait for.
        await run.terminal.waitFor(DIALOG, SLOW_MS);
        await helped.pressAnswer("Yes");
        await confirmed(helped);
        await eventually(() => has("helped.txt"));
        await run.terminal.waitFor(OVER, SLOW_MS);
        // As another window of the same person would.
        const server = findServer(findTool(run));
        const { id } = (await server("POST", "/session", cwd, {})) as { id: string };
        await server("POST", `/session/${id}/prompt_async`, cwd, {
          parts: [{ type: "text", text: "Do [[one]]" }],
        });
        const other = await card();
        expect(other.text).toContain("touch made-1.txt");
        await other.pressAnswer("Yes");
        await confirmed(other);
        await eventually(() => has("made-1.txt"));
        expect(run.terminal.screen).not.toMatch(DIALOG);
        expect(await states(rig)).toEqual(["answered", "answered"]);
      }));

    it("answers once when tap and key come at once", () =>
      joined({}, async ({ run, rig, asks, has, card }) => {
        const first = await asks("two");
        const second = await card();
        await run.terminal.waitFor(DIALOG, SLOW_MS);
        await run.terminal.settled();
        const tapped = first.pressAnswer("Yes");
        run.terminal.press(KEYS.enter);
        await tapped;
        await first.settled(SLOW_MS);
        await eventually(() => has("a1.txt"));
        await run.terminal.waitFor(/\$ touch a2/, SLOW_MS);
        await run.terminal.settled();
        expect(has("a2.txt")).toBe(false);
        await second.pressAnswer("No");
        await confirmed(second);
        expect(has("a2.txt")).toBe(false);
        expect((await states(rig))[0]).toMatch(/answered|withdrawn/);
        expect((await states(rig))[1]).toBe("answered");
      }));

    it("goes on asking when the hub is killed, and leaves nothing when the run, or the tool, is", () =>
      joined({}, async ({ run, rig, asks, has }) => {
        const waiting = await asks("one");
        await rig.killHub();
        await eventually(async () => (await rig.home.hubPid()) !== null);
        await waiting.pressAnswer("Yes");
        await confirmed(waiting);
        await eventually(() => has("made-1.txt"));
        await run.terminal.waitFor(OVER, SLOW_MS);
        const lost = await asks("again");
        process.kill(findTool(run), "SIGKILL");
        await run.exited;
        await lost.settled(SLOW_MS);
        expect(await lost.pressOld("gone").catch(() => "")).not.toMatch(/accepted for/);
        expect(await states(rig)).toEqual(["answered", "withdrawn"]);
      }));

    it("ends with a run that is killed", () =>
      joined({}, async ({ run, asks }) => {
        await asks("one");
        const tool = findTool(run);
        process.kill(run.terminal.pid, "SIGKILL");
        await eventually(() => !isAlive(tool));
      }));

    it("asks about five megabytes", () =>
      joined({}, async ({ run, rig, asks, has }) => {
        const card = await asks("long");
        // As much of it as people are sent, and that it is not all.
        expect([card.content.length, card.isMarkedCut]).toEqual([1024 * 1024, true]);
        await card.pressAnswer("No");
        await confirmed(card);
        expect(has("long.txt")).toBe(false);
        expect(await states(rig)).toEqual(["answered"]);
        await run.terminal.waitUntil((screen) => !DIALOG.test(screen), "a closed dialog", SLOW_MS);
      }));

    it("has a password of the run that stands in its environment and nowhere else", () =>
      joined({ options: { env: { ATLASBRIDGE_CAPTURE_PROMPTS: "1" } } }, async ({ run, rig, asks, cwd }) => {
        const card = await asks("env");
        const tool = findTool(run);
        const password = readVariable(tool, "OPENCODE_SERVER_PASSWORD");
        expect(password).toMatch(/^[0-9a-f]{32}$/);
        const port = await findPort(tool);
        const stranger = await fetch(
          `http://127.0.0.1:${port}/permission?directory=${encodeURIComponent(cwd)}`,
        );
        expect(stranger.status).toBe(401);
        await card.pressAnswer("Yes");
        await confirmed(card);
        await run.terminal.waitFor(OVER, SLOW_MS);
        rig.phone.user.send("screen");
        await rig.phone.picture();
        for (const pid of [
          process.pid,
          await rig.hubPid(),
          run.terminal.pid,
          tool,
          ...listProcesses(rig.home.folder),
        ])
          expect(procText(pid, "cmdline")).not.toContain(password);
        expect(filesWith(rig.home.folder, password)).toEqual([]);
        expect(JSON.stringify(run.cards.map(({ text }) => text))).not.toContain(password);
      }));

    it.each<[string, JoinedSetting]>([
      ["a port of its user", { options: { args: ["--port", "0"] } }],
      ["a password of its user", { options: { env: { OPENCODE_SERVER_PASSWORD: "mine" } } }],
      ["its user's settings for a server", { options: { config: { server: { port: 47_815 } } } }],
      ["--no-hooks", { flags: ["--no-hooks"] }],
    ])("is left alone with %s: its screen asks", (_, setting) =>
      joined(setting, async ({ run, rig, asks, has }) => {
        const card = await asks("one");
        expect(card.buttons.join("\n")).toContain("Allow once");
        expect(
          processesBelow(run.terminal.pid)
            .map((pid) => procText(pid, "cmdline"))
            .join("\n"),
        ).not.toContain("--hostname");
        await card.pressAnswer("Allow once");
        await confirmed(card);
        await eventually(() => has("made-1.txt"));
        expect(await states(rig)).toEqual(["answered"]);
      }),
    );
  },
);
