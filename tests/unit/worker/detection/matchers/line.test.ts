/**
 * A prompt on a line (yes or no, any key, free text, a menu, a secret) is read in every spelling only with the cursor right
 * behind it, and another line is not.
 */
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../../../src/sdk/candidate.js";
import type { Signals } from "../../../../../src/sdk/view.js";
import { readAnswerSet } from "../../../../../src/worker/detection/shapes/answers/answer-set.js";
import { detectOn, shippedAdapter } from "../screens.js";

const generic = shippedAdapter("generic");
const READING: Signals = { canonical: true, echo: true, blockedOnRead: true };

async function asked(text: string, signals: Signals = READING): Promise<Candidate | null> {
  return (await detectOn(generic, text, { signals })).candidate;
}

async function askedOn(rows: readonly string[], signals: Signals): Promise<Candidate | null> {
  return (await detectOn(generic, rows, { signals })).candidate;
}

describe("a yes/no on a line", () => {
  it.each([
    ["Continue? (y/n) ", null, "y", "n"],
    ["Continue? (Y/n) ", 1, "y", "n"],
    ["Continue? [y/N] ", 2, "y", "n"],
    ["Continue? [y/N]: ", 2, "y", "n"],
    ["Continue? [Y/N] ", null, "y", "n"],
    ["Continue? y/N ", 2, "y", "n"],
    ["Delete it? (yes/no) ", null, "yes", "no"],
    ["Delete it? [yes/NO]: ", 2, "yes", "no"],
    ["Overwrite (y/n)? ", null, "y", "n"],
    ["Overwrite? [y] [n]: ", null, "y", "n"],
    ["Proceed (Y/n)? ", 1, "y", "n"],
    ["Make breakpoint pending? (y or [n]) ", 2, "y", "n"],
    ["Is this OK? (yes) ", 1, "yes", "no"],
    ["Press y to continue, n to cancel", null, "y", "n"],
    ["Do you want to run this? (y/n) ❯ ", null, "y", "n"],
    ["Continue connecting (yes/no/[fingerprint])? ", null, "yes", "no"],
    ["Continue? <y/N> ", 2, "y", "n"],
    ["Continue? (y|n) ", null, "y", "n"],
    ["Use it? (Yes/no): ", 1, "yes", "no"],
  ])("is read in the spelling %s", (text, byDefault, yes, no) => {
    const set = readAnswerSet(text);
    expect(set).toMatchObject({ byDefault, isYesNo: true });
    expect(set?.answers.map(({ value }) => value.toLowerCase())).toEqual([yes, no]);
  });

  it.each([
    "Pick one (a/b) ",
    "See src/y/n.ts ",
    "Progress 3/5 ",
    "He said yes/no questions are easy. ",
    "ratio y/nothing",
    "",
  ])("is not seen in %s", (text) => {
    expect(readAnswerSet(text)).toBeNull();
  });

  const files = (count: number): string[] => Array.from({ length: count }, (_, at) => `  /srv/file-${at}`);
  const removal = (count: number): string =>
    ["These files will be removed:", ...files(count), "Remove all of them? [y/N] "].join("\n");

  it("is about all of the rows above it, and about another one where any of them changes", async () => {
    const size = { cols: 80, rows: 60 };
    const { candidate } = await detectOn(generic, removal(40).split("\n"), { signals: READING, ...size });
    expect(candidate?.content).toEqual({ text: removal(40).trim(), cut: null });
    const changed = removal(40).replace("/srv/file-0\n", "/srv/prod/0\n");
    const other = await detectOn(generic, changed.split("\n"), { signals: READING, ...size });
    expect(other.candidate?.fingerprint).not.toBe(candidate?.fingerprint);
  });

  it("says that it is cut where its first rows have left the screen", async () => {
    const { candidate } = await detectOn(generic, removal(40).split("\n"), {
      signals: READING,
      cols: 80,
      rows: 24,
    });
    expect(candidate?.content.cut).toEqual({ above: true });
    expect(candidate?.content.text).not.toContain("/srv/file-0\n");
  });

  it("knows whether anything stands above its block", async () => {
    const above = async (rows: readonly string[], lines = 24): Promise<boolean> => {
      const { candidate } = await detectOn(generic, rows, { signals: READING, rows: lines });
      return candidate?.hasMoreAbove ?? false;
    };
    const block = ["This cannot be undone.", "It takes a minute.", "Delete the database? [y/N] "];
    expect(await above(block)).toBe(false);
    expect(await above(["", "", ...block])).toBe(false);
    expect(await above(["Plan: 1 to destroy.", "", ...block])).toBe(true);
    // The plan has left the screen.
    expect(await above(["Plan: 1 to destroy.", "", "", ...block], 4)).toBe(true);
  });

  it.each([
    ["$ rm -rf /srv/data", "$ rm -rf /srv/prod"],
    ["root@prod:~# dropdb main", "root@prod:~# dropdb prod"],
    ["~5% of the disk is kept, the rest is erased", "~5% of the disk is erased, the rest is kept"],
    ["ann@example.com% of shares", "bob@example.com% of shares"],
    ["ann@box src % dropdb main", "ann@box src % dropdb prod"],
    ["bash-5.2# cp -i a file9.txt", "bash-5.2# cp -i b file9.txt"],
  ])(
    "is about a row above it that looks like a shell's command, as any program can print: %s",
    async (row, other) => {
      const read = async (shown: string) => {
        const rows = ["I am about to run as root:", shown, "Proceed? [y/N] "];
        return (await detectOn(generic, rows, { signals: READING })).candidate;
      };
      const candidate = await read(row);
      expect(candidate?.content).toEqual({
        text: `I am about to run as root:\n${row}\nProceed? [y/N]`,
        cut: null,
      });
      expect((await read(other))?.fingerprint).not.toBe(candidate?.fingerprint);
    },
  );

  it("says that more is above where earlier output fills the screen, and does not call its content incomplete", async () => {
    const earlier = Array.from({ length: 30 }, (_, at) => `line ${at} of another command`);
    const rows = [...earlier, "ann@box:~$ cp -i a file9.txt", "cp: overwrite 'file9.txt'? "];
    const { candidate } = await detectOn(generic, rows, { signals: READING, cols: 80, rows: 24 });
    expect(candidate?.content.text).toMatch(/ann@box:~\$ cp -i a file9\.txt\ncp: overwrite 'file9\.txt'\?$/);
    expect(candidate?.content.cut).toEqual({ above: true });
  });

  it("is answered by typing the very word it names", async () => {
    const candidate = await asked("Delete the branch? (yes/no) ");
    expect(candidate).toMatchObject({
      promptType: "yes_no",
      question: "Delete the branch?",
      highlighted: null,
    });
    expect(candidate?.choices).toMatchObject([
      { label: "Yes", intent: "allow_once", answer: { by: "line", text: "yes" } },
      { label: "No", intent: "reject_once", answer: { by: "line", text: "no" } },
    ]);
  });

  it("is answered in capitals where both words are", async () => {
    const typed = async (text: string) => (await asked(text))?.choices.map(({ answer }) => answer);
    expect(await typed("Wipe it? (YES/NO) ")).toEqual([
      { by: "line", text: "YES" },
      { by: "line", text: "NO" },
    ]);
    expect(await typed("Wipe it? (yes/NO) ")).toEqual([
      { by: "line", text: "yes" },
      { by: "line", text: "no" },
    ]);
  });

  it("is answered by one key where the tool takes one key", async () => {
    const candidate = await asked("Proceed? (y/n) ", { canonical: false, echo: true, blockedOnRead: true });
    expect(candidate?.choices.map(({ answer }) => answer)).toEqual([
      { by: "key", key: "y" },
      { by: "key", key: "n" },
    ]);
  });

  it("has the rows right above it as content", async () => {
    const candidate = await asked(
      "The key fingerprint is SHA256:abc.\r\nContinue connecting (yes/no/[fingerprint])? ",
    );
    expect(candidate?.content.text).toContain("SHA256:abc.");
  });

  it("may have its question on the row above", async () => {
    expect((await asked("Really delete everything?\r\n[y/N] "))?.question).toBe("Really delete everything?");
  });

  it("of cp, mv and rm needs no letters", async () => {
    expect(await asked("rm: remove regular file 'x'? ")).toMatchObject({
      promptType: "yes_no",
      rule: "coreutils",
    });
  });
});

describe("other lines that ask", () => {
  it.each([
    ["Press Enter to continue", "confirm_enter"],
    ["Press Enter to continue...", "confirm_enter"],
    ["Press RETURN to start", "confirm_enter"],
    ["Hit enter to proceed", "confirm_enter"],
    ["[Press Enter]", "confirm_enter"],
    ["(press enter)", "confirm_enter"],
    ["Press any key to continue . . .", "confirm_enter"],
    ["Name: ", "free_text"],
    ["What is your name? ", "free_text"],
    ["package name: (demo) ", "free_text"],
    ["Enter file in which to save the key (/home/dev/.ssh/id_ed25519): ", "free_text"],
    ["Password: ", "secret"],
    ["Enter passphrase for key '/home/dev/.ssh/id': ", "secret"],
    ["[sudo] password for dev: ", "secret"],
    ["Paste your API key: ", "secret"],
  ])("%s is %s", async (text, type) => {
    expect((await asked(text))?.promptType).toBe(type);
  });

  it("is secret without echo, with any text", async () => {
    const candidate = await asked("Speak, friend: ", { canonical: true, echo: false, blockedOnRead: true });
    expect(candidate).toMatchObject({ promptType: "secret", content: { text: "" } });
  });

  it("is typed on its line, and may be left empty", async () => {
    expect(await asked("Name: ")).toMatchObject({
      textEntry: "line",
      constraints: { maxLength: 200, allowEmpty: true },
    });
  });

  it("reads a numbered menu above its prompt", async () => {
    const menu =
      "Select an action:\r\n  1) Apply changes\r\n  2) View diff\r\n  3) Abort\r\nEnter choice [1-3]: ";
    const candidate = await asked(menu);
    expect(candidate).toMatchObject({ promptType: "multiple_choice", highlighted: null });
    expect(candidate?.question).toContain("Select an action:");
    expect(candidate?.choices.map(({ label, answer }) => [label, answer])).toEqual([
      ["Apply changes", { by: "line", text: "1" }],
      ["View diff", { by: "line", text: "2" }],
      ["Abort", { by: "line", text: "3" }],
    ]);
  });

  it.each([
    ["1 - MIT\r\n2 - BSD-3\r\nChoose from 1, 2 [1]: ", ["1 MIT", "2 BSD-3"], 1],
    [
      "1 = I do not know\r\n2 = I do NOT trust\r\nYour decision? Pick one: ",
      ["1 I do not know", "2 I do NOT trust"],
      null,
    ],
    ["a) keep\r\nb) delete\r\nYour choice [a-b]: ", ["a keep", "b delete"], null],
    ["[1] stable\r\n[2] beta\r\nSelect a channel: ", ["1 stable", "2 beta"], null],
    ["0) none\r\n1) red\r\nPick one [0-1]: ", ["0 none", "1 red"], null],
    ["1. Run it\r\n2. Wait\r\n\r\n[1/2] ", ["1 Run it", "2 Wait"], null],
    [
      "* 0            /opt/e2\r\n  1            /opt/e1\r\n\r\nPress <enter> to keep the current choice[*], or type selection number: ",
      ["0 /opt/e2", "1 /opt/e1"],
      1,
    ],
    [
      " + 1           java-8\r\n*  2           java-11\r\n   3           java-17\r\n\r\nEnter to keep the current selection[+], or type selection number: ",
      ["1 java-8", "2 java-11", "3 java-17"],
      1,
    ],
    ["Choose 0) none 1) all [0-1]: ", ["0 none", "1 all"], null],
  ])("reads the rows of %j", async (text, rows, byDefault) => {
    const candidate = await asked(text);
    expect(candidate).toMatchObject({ promptType: "multiple_choice", highlighted: byDefault });
    const read = candidate?.choices.map(
      ({ label, answer }) => `${answer.by === "line" ? answer.text : ""} ${label}`,
    );
    expect(read).toEqual(rows);
  });

  it("may have the cursor behind a blank row, with proof that somebody reads", async () => {
    const text = '[P] Yes, before  [N] No  [?] Help (default is "P").\r\n\r\n';
    expect(await asked(text)).toMatchObject({ promptType: "multiple_choice", highlighted: 1 });
    expect(await asked(text, {})).toBeNull();
  });

  it("reads a numbered menu in one row", async () => {
    const candidate = await asked("1) Build 2) Test 3) Ship  Enter choice [1-3]: ");
    expect(candidate?.choices.map(({ label }) => label)).toEqual(["Build", "Test", "Ship"]);
  });

  it("reads the letters of git add --patch", async () => {
    const candidate = await asked("(1/1) Stage this hunk [y,n,q,?]? ");
    expect(candidate?.choices.map(({ label, answer }) => [label, answer])).toEqual(
      ["y", "n", "q", "?"].map((letter) => [letter, { by: "line", text: letter }]),
    );
  });

  it.each([
    "1. eth0\r\n2. eth1\r\nGateway address [192.168.0.1]: ",
    "1. Open the console\r\n2. Forward the port\r\nPort (1024-65535): ",
    "a) one\r\na) two\r\nYour choice: ",
    "A. Smith wrote it\r\nC. Jones read it\r\nYour choice: ",
  ])("takes no rows for choices in %j", async (text) => {
    expect((await asked(text))?.choices).toEqual([]);
  });

  it("offers no answer of several characters where one key answers", async () => {
    const oneKey = { canonical: false, echo: true, blockedOnRead: true };
    expect((await asked("(df) show difference, (e) edit file: ", oneKey))?.choices).toEqual([]);
    expect((await asked("(d) show difference, (e) edit file: ", oneKey))?.choices).toHaveLength(2);
  });

  it("does not take a menu that does not count 1, 2, 3", async () => {
    expect((await asked("1) One\r\n3) Three\r\nEnter choice: "))?.promptType).toBe("free_text");
  });
});

describe("a line that asks nothing", () => {
  it.each([
    ["a question further up", "Continue? (y/n) \r\ndone\r\n", {}],
    ["a question in the middle of a line", "say (y/n) to go on ", {}],
    ["an answer already typed", "Continue? (y/n) y", {}],
    ["a shell's prompt", "dev@host:~/proj$ ", READING],
    ["a command at a shell's prompt", "$ rm -rf build # sure? (y/n)", { canonical: false, echo: false }],
    ["an interpreter's prompt", ">>> ", READING],
    ["a debugger's prompt", "(gdb) ", READING],
    ["a notebook's prompt", "In [3]: ", READING],
    ["a program that works on", "Continue? (y/n) ", { blockedOnRead: false }],
    ["a pager", "Continue? (y/n) ", { ...READING, foreground: "less" }],
    ["an editor", "Name: ", { ...READING, foreground: "vim" }],
    ["an empty screen", "", READING],
    ["a URL", "see https://example.com/y/n", {}],
  ] as const)("is %s", async (_name, text, signals) => {
    expect(await asked(text, signals)).toBeNull();
  });

  it("is a line on the alternate screen", async () => {
    const { candidate } = await detectOn(generic, "Continue? (y/n) ", { alternate: true, signals: READING });
    expect(candidate).toBeNull();
  });

  it("is a line far left of the cursor, or below it", async () => {
    expect((await detectOn(generic, "Continue? (y/n)", { cursor: [40, 0] })).candidate).toBeNull();
    expect((await detectOn(generic, "Continue? (y/n) ", { cursor: [0, 0] })).candidate).toBeNull();
  });
});

describe("evidence from the terminal", () => {
  it("makes the row above the cursor a question only with proof that somebody reads", async () => {
    expect(await asked("Continue? (y/n)\r\n", READING)).toMatchObject({ promptType: "yes_no" });
    expect(await asked("Continue? (y/n)\r\n", {})).toBeNull();
  });

  it("shortens the time for which a line must be still", async () => {
    const known = await detectOn(generic, "Continue? (y/n) ", { signals: READING });
    const guessed = await detectOn(generic, "Continue? (y/n) ");
    const weak = await detectOn(generic, "Name: ");
    expect(known.stableMs).toBeLessThan(guessed.stableMs);
    expect(guessed.stableMs).toBeLessThan(weak.stableMs);
  });

  it("distinguishes working from idle where no rule matches", async () => {
    expect((await detectOn(generic, "building", { signals: { blockedOnRead: false } })).state).toBe(
      "working",
    );
    expect((await detectOn(generic, "$ ", { signals: READING })).state).toBe("idle");
    expect((await detectOn(generic, "building")).state).toBeNull();
  });
});

describe("a line that no rule matches", () => {
  it("is raised late when a program provably waits on a line", async () => {
    const { candidate, stableMs } = await detectOn(generic, "Give me the thing now", { signals: READING });
    expect(candidate).toMatchObject({ promptType: "unknown", score: 0.6, question: "Give me the thing now" });
    expect(candidate?.content.cut).not.toBeNull();
    expect(stableMs).toBe(2000);
  });

  it("is left alone without proof", async () => {
    expect(await asked("Give me the thing now", {})).toBeNull();
    expect(await asked("Give me the thing now", { canonical: true })).toBeNull();
  });
});

describe("a mark alone on the cursor's row", () => {
  const BY_SCRIPT: Signals = { ...READING, foreground: "install.sh" };
  const ROWS = ["1) Go on (default)", "2) Change it", "3) Stop"];

  it.each([
    [[" Shall the table be dropped? (yes/no) [no]:", " > "], "yes_no", 2],
    [["Really?  [Y/n]", "", "❯ "], "yes_no", 1],
    [[...ROWS, ">"], "multiple_choice", 3],
    [["Which one?", ...ROWS, "", "> "], "multiple_choice", 3],
    [["Allow it? [y/n/t]:", "> "], "multiple_choice", 3],
    [["What is your name?", "› "], "free_text", 0],
  ])("asks what stands above it: %j", async (rows, promptType, count) => {
    const candidate = await askedOn(rows, BY_SCRIPT);
    expect(candidate).toMatchObject({ promptType });
    if (promptType !== "yes_no") expect(candidate?.choices).toHaveLength(count);
  });

  it.each(["sh", "dash", "bash", "python3", "R", undefined])(
    "is the prompt of a program that reads commands: %s",
    async (foreground) => {
      const signals = foreground === undefined ? READING : { ...READING, foreground };
      expect(await askedOn(["Really? [y/n]", "> "], signals)).toBeNull();
      expect(await askedOn([...ROWS, "> "], signals)).toBeNull();
    },
  );

  it("asks for no secret, and for nothing below a blank screen", async () => {
    expect(await askedOn(["Password:", "> "], BY_SCRIPT)).not.toMatchObject({ promptType: "secret" });
    expect(await askedOn(["", "", "> "], BY_SCRIPT)).toBeNull();
  });
});

describe("a shell's own prompt", () => {
  const EDITED: Signals = { canonical: false, echo: false, foreground: "bash" };

  it.each(["host:/srv user: ", "main ? ", "me [y/N]: ", "Password: "])("asks nothing: %s", async (text) => {
    expect(await asked(text, EDITED)).toBeNull();
    expect(await asked(text, { ...EDITED, foreground: "setup.sh" })).not.toBeNull();
  });

  it("is a label where the shell edits no line", async () => {
    expect(await asked("host:/srv user: ", { ...READING, foreground: "dash" })).toBeNull();
    expect(await asked("Continue? [y/N] ", { ...READING, foreground: "dash" })).not.toBeNull();
    expect(await asked("Name: ", { ...READING, foreground: "bash" })).not.toBeNull();
  });

  it("is none where the shell signs its question", async () => {
    const signed = "zsh: sure you want to delete all 3 files in /tmp [yn]? ";
    expect(await asked(signed, { ...EDITED, foreground: "zsh" })).not.toBeNull();
  });
});

describe("an editor or a pager", () => {
  const EDITOR: Signals = { canonical: false, echo: false, foreground: "vim" };

  it.each([
    ["Do you really want to write to it (y/n)?", "vim", "yes_no", 2],
    ["[Y]es, (N)o, (C)ancel: ", "vim", "multiple_choice", 3],
    ['"x" may be a binary file.  See it anyway? ', "less", "yes_no", 2],
  ])("asks on its last row: %s", async (text, foreground, promptType, count) => {
    const signals = { ...EDITOR, foreground };
    const { candidate } = await detectOn(generic, ["some text", text], { signals, alternate: true });
    expect(candidate).toMatchObject({ promptType });
    expect(candidate?.choices).toHaveLength(count);
    expect(candidate?.choices.every(({ answer }) => answer.by === "key")).toBe(true);
  });

  it("asks nothing where its text ends so, or the terminal takes lines", async () => {
    const rows = ["Really? (y/n)", ":"];
    expect((await detectOn(generic, rows, { signals: EDITOR, alternate: true })).candidate).toBeNull();
    const lines = { ...EDITOR, canonical: true };
    expect((await detectOn(generic, "Really? (y/n) ", { signals: lines })).candidate).toBeNull();
  });
});

describe("rows that explain the answers of a line", () => {
  it.each<[string, readonly string[], readonly string[], number | null]>([
    ["letters", ["  (a) keep", "  (b) drop", "Choose [a/b]: "], ["keep", "drop"], null],
    ["numbers", ["1. Small", "2. Big", "Size (1/2) [2]: "], ["Small", "Big"], 2],
    [
      "a zero last",
      ["1 - Name", "2 - Mail", "0 - Done", "Choose from 0, 1, 2: "],
      ["Name", "Mail", "Done"],
      null,
    ],
    [
      "numbers and a letter",
      ["  1 = none", "  2 = full", "  m = back", "", "Your decision? "],
      ["none", "full", "back"],
      null,
    ],
    ["arrows", [" 1 => Yes", " 2 => No", "Your choice: "], ["Yes", "No"], null],
    [
      "a ruled row below",
      ["1: HTTP", "2: Root", "- - - - - - - -", "Select a number [1-2]: "],
      ["HTTP", "Root"],
      null,
    ],
    ["a default behind the range", ["1: Keep", "2: Drop", "[1..2] (default 2): "], ["Keep", "Drop"], 2],
    ["words in capitals", ["The partition is in use.", "Ignore/Cancel? "], ["Ignore", "Cancel"], null],
  ])("are its choices: %s", async (_, rows, labels, highlighted) => {
    const { candidate } = await detectOn(generic, rows, { signals: READING });
    expect(candidate?.choices.map(({ label }) => label)).toEqual(labels);
    expect(candidate).toMatchObject({ promptType: "multiple_choice", highlighted });
  });

  it("are in the order of the screen, so that the zero in the last row is the last choice", async () => {
    const rows = ["1 - Name", "2 - Mail", "0 - Done", "Choose from 0, 1, 2: "];
    const { candidate } = await detectOn(generic, rows, { signals: READING });
    expect(candidate?.choices.map(({ answer }) => answer)).toMatchObject([
      { text: "1" },
      { text: "2" },
      { text: "0" },
    ]);
  });
});

describe("numbered rows above a question", () => {
  it("get letters where their numbers are not their places, so that no written number means another row", async () => {
    const zero = await askedOn(["0) Exit", "1) Build", "2) Deploy", "Choose an option: "], READING);
    expect(zero).toMatchObject({ constraints: { lettered: true, maxChoice: 3 } });
    const gap = await askedOn(["1) Build", "2) Deploy", "4) Drop", "Choose an option [1-4]: "], READING);
    expect(gap?.constraints.lettered).toBe(true);
    const counted = await askedOn(["1) Build", "2) Deploy", "Choose an option: "], READING);
    expect(counted?.constraints).toEqual({ minChoice: 1, maxChoice: 2 });
  });

  it.each([
    [["1. Wipe", "2. Leave it", "", "Notes:", "1. Leaving is safe", "2. No undo", "Select an option: "]],
    [["1) Install", "2) Remove", "   1. keep settings", "   2. purge settings", "Select an option: "]],
    [["1) Backup", "2) Wipe", "Your choice: 2", "Type the serial number of the disk.", "Your choice: "]],
  ])("are no choices where others may be the menu, or it was answered: %j", async (rows) => {
    expect(await askedOn(rows, READING)).toMatchObject({ promptType: "free_text" });
  });

  it.each([
    [["1) MIT", "2) BSD", "License: 1", "", "1) npm", "2) yarn", "Choose one: "], "npm"],
    [["1) npm", "2) yarn", "Choose one: 9", "Invalid.", "1) npm", "2) yarn", "Choose one: "], "npm"],
    [["1) npm", "2) yarn", "Choose one: 9", "Invalid.", "Choose one: "], "npm"],
  ])("are its choices where the upper ones were answered or are the same: %j", async (rows, first) => {
    const asked = await askedOn(rows, READING);
    expect(asked?.choices.map(({ label }) => label)).toEqual([first, "yarn"]);
  });
});

describe("a line that ends like a command prompt", () => {
  const BY_SCRIPT: Signals = { ...READING, foreground: "install.sh" };
  const ROWS = ["1) Build", "2) Deploy", "Enter your choice > "];

  it("is asked where a program that reads no commands provably waits for a line", async () => {
    expect(await askedOn(ROWS, BY_SCRIPT)).toMatchObject({ promptType: "multiple_choice" });
    expect(await asked("Enter password > ", BY_SCRIPT)).toMatchObject({ promptType: "secret" });
  });

  it("is a command prompt otherwise", async () => {
    expect(await askedOn(ROWS, { ...READING, foreground: "bash" })).toBeNull();
    expect(await askedOn(ROWS, { ...BY_SCRIPT, blockedOnRead: false })).toBeNull();
  });

  it("is what somebody types, where an interpreter edits it", async () => {
    const edited = { canonical: false, echo: false, foreground: "python3" };
    expect(await asked("for x in range(3):", edited)).toBeNull();
    expect(await asked("Save it? [y/n]", { ...edited, foreground: "gdb" })).toMatchObject({
      promptType: "yes_no",
    });
  });
});

describe("Enter or something else", () => {
  it.each([
    ["Press Enter to continue", "confirm_enter"],
    ["Press Enter to delete everything, or type no to cancel: ", "free_text"],
    ["Enter your name and press Enter: ", "free_text"],
  ])("%j is %s", async (text, promptType) => {
    expect(await asked(text)).toMatchObject({ promptType });
  });

  it.each(["Mot de passe : ", "[sudo] Passwort für dev: ", "Disk key: (press TAB for no echo) ", "密码："])(
    "%j is a secret",
    async (text) => {
      expect(await asked(text)).toMatchObject({ promptType: "secret" });
    },
  );

  it("a letter is a yes only beside a no", async () => {
    const way = await asked("Direction [n/s/e/w]: ");
    expect(way?.choices.map(({ intent }) => intent)).toEqual(["other", "other", "other", "other"]);
    const all = await asked("Go on? [y/n/a]: ");
    expect(all?.choices.map(({ intent }) => intent)).toEqual(["allow_once", "reject_once", "other"]);
  });
});

describe("a line that a program edits itself and that no rule reads", () => {
  const EDITED: Signals = { canonical: false, echo: false, blockedOnRead: true, foreground: "setup.py" };
  const takesText = async (text: string): Promise<boolean> => {
    const candidate = await asked(text, EDITED);
    expect(candidate?.promptType).toBe("unknown");
    return !candidate?.constraints.keys?.some(({ key }) => key === "up");
  };

  it("takes any text, unless a proposed text stands in it that would be joined with the answer", async () => {
    expect(await takesText("Project name - ")).toBe(true);
    expect(await takesText("Path: /usr/local")).toBe(false);
    expect(await takesText("Delete it? (yes/no) no")).toBe(false);
  });
});
