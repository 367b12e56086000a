/**
 * The hub is killed again and again while commands come from a chat. Afterwards each command that the chat was told to have ended was run
 * once, none was run twice, and each has one end in the chat, which is true, and one on record.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { readDatabase } from "../property/hub/read-database.js";
import { eventually } from "../support/hub-home.js";
import { CHATS, withChat } from "../support/rig/chat-console.js";
import { seeded } from "../support/seeded.js";

const IS_FULL = process.env["ATB_FULL_SIZE"] === "1";
const SEED = Number(process.env["ATB_FAULT_SEED"] ?? 20261129);
const SIZES = {
  Telegram: IS_FULL ? { commands: 200, kills: 60 } : { commands: 24, kills: 4 },
  Slack: IS_FULL ? { commands: 60, kills: 20 } : { commands: 12, kills: 2 },
};
/** A command takes up to half a second, and the next hub serves about a second after the kill. */
const KILL_WITHIN_MS = 2_000;
/** Slack sends an event again after a minute and after five; here it does so every second. */
const RETRY_MS = Array.from({ length: 20 }, () => 1_000);
const HOUR_MS = 3_600_000;

const ENDS = {
  done: /^✅/,
  untyped: /^⚠️[^]*\nNothing was typed: /,
  unknown: /^❔[^]*\nIt is not known what became of it: /,
} as const;

it.each(CHATS)(
  "each command from %s has one end, which is true, however often the hub is killed",
  (where) =>
    withChat(
      where,
      async ({ rig, open }) => {
        const { commands, kills } = SIZES[where];
        const random = seeded(SEED);
        const chat = await open("work", "bash", "--norc");
        const killedAfter = new Set<number>();
        while (killedAfter.size < kills) killedAfter.add(1 + Math.floor(random() * commands));

        const findEnds = (n: number): readonly string[] =>
          chat.texts.filter(
            (text) => text.includes(`echo ${n} >> done`) && /^(?:✅|❌|⚠️|❔|▪️|⏹)/.test(text),
          );
        const give = (n: number): void =>
          chat.send(
            `sleep ${(random() * 0.3).toFixed(2)}; echo ${n} >> done; sleep ${(random() * 0.2).toFixed(2)}`,
          );
        let killing: Promise<unknown> = Promise.resolve();
        for (let n = 1; n <= commands; n += 1) {
          const wait = random() * KILL_WITHIN_MS;
          if (killedAfter.has(n)) killing = Promise.all([killing, delay(wait).then(() => rig.killHub())]);
          give(n);
          // Now and then nobody waits for the end of the last one.
          if (random() < 0.8 || n === commands)
            await chat.until(() => findEnds(n).length > 0, `the end of command ${n}`);
          if (random() < 0.5) await killing;
        }
        for (let n = 1; n <= commands; n += 1)
          await chat.until(() => findEnds(n).length > 0, `the end of command ${n}`);
        await killing;
        await eventually(() => rig.home.hubPid());

        const file = join(rig.home.folder, "done");
        const run = (existsSync(file) ? readFileSync(file, "utf8") : "").trim().split("\n").map(Number);
        const told = Array.from({ length: commands }, (_, at) => {
          const n = at + 1;
          const ends = findEnds(n);
          const kind = Object.entries(ENDS).find(([, sign]) => sign.test(ends[0] ?? ""))?.[0] ?? ends[0];
          // The same message may come again: posting is at least once (ADR 4).
          return {
            n,
            ends: new Set(ends).size,
            posts: ends.length,
            kind,
            times: run.filter((each) => each === n).length,
          };
        });
        const figures = Object.fromEntries(
          Object.keys(ENDS).map((kind) => [kind, told.filter((each) => each.kind === kind).length]),
        );
        const again = told.filter(({ posts }) => posts > 1).length;
        const seen = { where, seed: SEED, commands, kills, ...figures, again, run: run.length };
        if (IS_FULL) console.log(JSON.stringify(seen));
        expect(told.filter(({ ends }) => ends !== 1)).toEqual([]);
        expect(told.filter(({ kind }) => !Object.keys(ENDS).includes(kind ?? ""))).toEqual([]);
        expect(told.filter(({ kind, times }) => kind === "done" && times !== 1)).toEqual([]);
        expect(told.filter(({ kind, times }) => kind === "untyped" && times !== 0)).toEqual([]);
        expect(told.filter(({ times }) => times > 1)).toEqual([]);
        expect(run).toEqual(run.toSorted((one, other) => one - other));
        const steps = `SELECT details ->> 'commandId' AS id, sum(step = 'console_command') AS given, sum(step <> 'console_command') AS ended
        FROM audit WHERE step IN ('console_command', 'console_ended', 'console_refused') GROUP BY id`;
        const recorded = readDatabase<{ given: number; ended: number }>(rig.home.paths.database, steps);
        expect(recorded.filter(({ given, ended }) => given !== 1 || ended !== 1)).toEqual([]);
        expect(recorded).toHaveLength(commands);
      },
      { eventRetryMs: RETRY_MS },
    ),
  HOUR_MS,
);
