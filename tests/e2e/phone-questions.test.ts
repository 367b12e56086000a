/**
 * Questions in the spellings of many programs, each asked by a process in a terminal and answered in writing from a phone: what is offered, and
 * which bytes the process then got.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { notInstalled, skipped } from "../support/skipped.js";
import { withRig } from "../support/rig/rig.js";

interface Question {
  /** What bash prints before it reads. */
  readonly rows?: string;
  readonly line: string;
  /** Options of bash's `read`. */
  readonly read?: string;
  /** Labels in the order of the buttons; absent: any. */
  readonly offers?: readonly RegExp[];
  readonly reply: string;
  readonly got: string;
}

const QUESTIONS: Readonly<Record<string, Question>> = {
  "a mark alone below a question": {
    rows: "Shall the index be rebuilt? (yes/no) [no]:",
    line: "> ",
    reply: "no",
    got: "no",
  },
  "a mark alone below rows": {
    rows: "1) Keep all (default)\n2) Pick some\n3) Leave",
    line: ">",
    offers: [/Keep all/, /Pick some/, /Leave/],
    reply: "3",
    got: "3",
  },
  "a third letter": { line: "Send the report? [y/n/l]: ", offers: [/y/, /n/, /l/], reply: "3", got: "l" },
  "a third word": {
    line: "Make the folder? (yes/No/later) ",
    offers: [/yes/, /No/, /later/],
    reply: "3",
    got: "later",
  },
  "letters before labels": {
    rows: "Drop the table?",
    line: '[Y] Yes  [A] Yes to All  [N] No  (default is "Y"): ',
    offers: [/Yes/, /Yes to All/, /No/],
    reply: "3",
    got: "N",
  },
  "letters within labels": {
    line: "(R)etry / (S)kip all / A(u)to rename / (Q)uit? ",
    offers: [/Retry/, /Skip all/, /Auto rename/, /Quit/],
    reply: "3",
    got: "u",
  },
  "letters with pipes": {
    line: "Push it? ([y]es|[n]o|[d]iff): ",
    offers: [/yes/, /no/, /diff/],
    reply: "3",
    got: "d",
  },
  "letters without separators": {
    line: "Replace b.rb? [Ynad] ",
    offers: [/Y/, /n/, /a/, /d/],
    reply: "2",
    got: "n",
  },
  "a pair in capitals": { line: "Wipe the disk? (Y/N) ", reply: "yes", got: "Y" },
  "a default with an equals sign": { line: "Join? (yes/no) [default=no]: ", reply: "yes", got: "yes" },
  German: { line: "Möchten Sie das löschen? [J/n] ", reply: "no", got: "n" },
  "a full-width colon": { line: "名前：", reply: "abc", got: "abc" },
  "rows with dashes": {
    rows: "1 - Apache\n2 - GPL",
    line: "Choose from 1, 2 [1]: ",
    offers: [/Apache/, /GPL/],
    reply: "2",
    got: "2",
  },
  "rows with letters": {
    rows: "a) keep it\nb) drop it",
    line: "Your choice [a-b]: ",
    offers: [/keep it/, /drop it/],
    reply: "2",
    got: "b",
  },
  "rows for each letter of the question": {
    rows: "Keep this one?\ny) Yes\ne) Edit it\nd) Delete it",
    line: "y/e/d> ",
    offers: [/Yes/, /Edit it/, /Delete it/],
    reply: "2",
    got: "e",
  },
  "rows that count from zero, by the letter of the card": {
    rows: "0) Leave\n1) Build\n2) Deploy",
    line: "Choose an option: ",
    offers: [/^A.*Leave/, /^B.*Build/, /^C.*Deploy/],
    reply: "b",
    got: "1",
  },
  "a number of two rows, of which nobody knows which is meant": {
    rows: "1. Wipe\n2. Leave it\n\nNotes:\n1. Leaving is safe\n2. No undo",
    line: "Select an option: ",
    reply: "text:2",
    got: "2",
  },
  "a number behind the prefix": { line: "Port to listen on: ", reply: "text:80", got: "80" },
  "Enter or a text": { line: "Press Enter to delete all, or type no to stop: ", reply: "no", got: "no" },
  "a word in a line that bash edits": {
    read: "-e",
    line: "Go on with it? (yes/no) ",
    reply: "yes",
    got: "yes",
  },
  "one key": { read: "-n1", line: "Go on? [y/n] ", reply: "no", got: "n" },
};

describe.concurrent("a question of a program", () => {
  it.skipIf(skipped(notInstalled("bash"))).each(Object.entries(QUESTIONS))(
    "is answered as it is meant: %s",
    (_, question) =>
      withRig(async (rig) => {
        const { rows, line, read = "", offers = [], reply, got } = question;
        const script = join(rig.home.folder, "ask.sh");
        const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
        const above = rows === undefined ? "" : `printf '%s\\n' ${quote(rows)}\n`;
        writeFileSync(script, `${above}read -r ${read} -p ${quote(line)} a; echo\necho "GOT<$a>"\n`);
        const run = rig.run(["bash", script]);
        const card = await run.card();
        for (const [at, label] of offers.entries()) expect(card.buttons[at]).toMatch(label);
        card.reply(reply);
        await run.terminal.waitFor(/GOT<.*>/);
        expect(run.text).toContain(`GOT<${got}>`);
        expect(await card.settled()).toMatch(/^✅ .*confirmed$/);
      }),
  );
});

/** Its two questions are the same in words and place, and with the block above them; only what stands further up differs. */
const ASKS_ANEW = `import os, signal
name = "one"
def ask(*_):
    print("\\033[2J\\033[HFile: %s\\033[3HSize: 10\\033[5HDelete it? [y/N] " % name, end="", flush=True)
def go_on(*_):
    global name
    name = "two"
    ask()
signal.signal(signal.SIGUSR1, go_on)
open("pid", "w").write(str(os.getpid()))
ask()
answer = os.read(0, 100).decode().strip()
print("GOT<%s %s>" % (name, answer))
`;

describe.concurrent("an answer from a phone", () => {
  it("is no number that stands on the screen for another row", () =>
    withRig(async (rig) => {
      const run = rig.run([
        "sh",
        "-c",
        'printf "0) Leave\\n1) Build\\nChoose an option: "; read a; echo "GOT<$a>"',
      ]);
      const card = await run.card();
      card.reply("1");
      await rig.phone.notice(/letter of the choice/);
      expect(run.text).not.toContain("GOT");
      card.reply("B");
      await run.terminal.waitFor(/GOT<1>/);
    }));

  it("is not joined with what was typed before the question came", () =>
    withRig(async (rig) => {
      const script =
        'printf "working\\n"; read -r go < go; printf "Delete all? [y/N] "; read a; echo "GOT<$a>"';
      const run = rig.run(["sh", "-c", `mkfifo go; ${script}`]);
      await run.terminal.waitFor(/working/);
      await run.terminal.settled();
      run.terminal.press("y");
      await run.terminal.waitFor(/working\s+y/);
      writeFileSync(join(rig.home.folder, "go"), "now\n");
      const card = await run.card();
      card.reply("no");
      expect(await card.shows(/^⚠️/)).toMatch(/somebody was typing at the terminal/i);
      expect(run.text).not.toContain("GOT");
    }));

  it.skipIf(skipped(notInstalled("python3")))(
    "is not taken for a question printed anew on an erased screen",
    () =>
      withRig(async (rig) => {
        const file = join(rig.home.folder, "ask.py");
        writeFileSync(file, ASKS_ANEW);
        const run = rig.run(["python3", file]);
        const card = await run.card();
        process.kill(Number(readFileSync(join(rig.home.folder, "pid"), "utf8")), "SIGUSR1");
        expect(await card.settled()).toMatch(/^↪️ Replaced by another prompt/);
        expect(run.text).not.toContain("GOT");
        (await run.card(2)).reply("no");
        await run.terminal.waitFor(/GOT<two n>/);
      }),
  );
});
