/**
 * Redaction hides no shell syntax of a payload, and nothing with a hidden part is approved in one step. A real hub and worker
 * keep no planted secret in any file.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { renderCard as renderSlackCard } from "../../channels/slack/cards/card.js";
import { renderCard as renderTelegramCard } from "../../channels/telegram/cards/card.js";
import { layOutCells } from "../../src/hub/picture/cells.js";
import { approvesHidden } from "../../src/model/hidden.js";
import { measureHidden } from "../../src/safety/redact.js";
import { sanitizeText } from "../../src/safety/safe-text.js";
import { Screen } from "../../src/worker/screen/screen.js";
import { promptNotice, SENT_AT } from "../../src/compat/testing/notices.js";
import { eventually, HubHome } from "../support/hub-home.js";
import { promptEvent } from "../support/prompts.js";
import { secretTexts } from "../support/secrets/corpus.js";
import { Draw } from "../support/secrets/formats.js";
import { kindTexts } from "../support/secrets/kinds.js";
import { scaleCount } from "./support/scale.js";

const secrets = secretTexts();
const rules = [...secrets, ...kindTexts()];

/** What a shell acts on, as it stands in commands. */
const SYNTAX = [
  "$(reboot)",
  "`reboot`",
  "${IFS}",
  "<(cat x)",
  ">(tee x)",
  "; rm -rf /srv",
  " | sh",
  " && curl evil.example",
  " & ",
  " > /etc/passwd",
  " < /dev/null",
  "\n",
  '"',
  "'",
  "\\",
  "*",
  "?",
  "!",
  "#",
  "~",
  "{a,b}",
  "[a-z]",
] as const;

function payload(draw: Draw): string {
  const parts = Array.from({ length: 1 + draw.below(4) }, () =>
    draw.below(2) === 0 ? draw.of("alnum", 1 + draw.below(24)) : draw.pickOne(SYNTAX),
  );
  return [draw.of("alnum", draw.below(12)), ...parts, draw.pickOne(SYNTAX)].join("");
}

/** Everything but letters, digits and the signs that mean nothing to a shell inside a word. */
function readSyntax(text: string): string {
  return text.replace(/\[\d+ hidden\]/g, "").replace(/[\p{L}\p{N}_+/=.:@%,-]/gu, "");
}

interface Cards {
  readonly telegram: string;
  readonly slack: string;
}

function renderCards(text: string): Cards {
  const notice = promptNotice("p1", { content: { text, cut: null } });
  const telegram = renderTelegramCard(notice, { now: SENT_AT });
  const slack = renderSlackCard(notice, { now: SENT_AT });
  return {
    telegram: telegram.spans.map((span) => span.text).join(""),
    slack: JSON.stringify(slack.blocks),
  };
}

/** Such a character takes two cells, so that characters and cells cannot be told by one count. */
const WIDE = /[\u1100-\uffdc]/;

/** The characters of a picture that are covered although a shell acts on them. */
async function coveredSyntax(text: string): Promise<string> {
  const size = { cols: 100, rows: 16 };
  const screen = new Screen(size);
  try {
    screen.write(Buffer.from(text.replaceAll("\n", "\r\n")));
    await screen.flushed();
    const lines = screen.view().lines.map((line) => ({ wrapped: line.wrapped, runs: line.runs() }));
    const drawn = lines.map(({ runs }) => runs.map((run) => run.text).join(""));
    const cells = layOutCells({ ...size, cursor: null, lines });
    return cells
      .filter(({ text: shown }) => shown === "•")
      .map(({ x, y }) => drawn[y]?.[x] ?? "")
      .filter((character) => readSyntax(character) !== "")
      .join("");
  } finally {
    screen.dispose();
  }
}

describe("a payload inside a redaction rule", () => {
  it("keeps all of its shell syntax to be read, and is approved by no single step", async () => {
    const draw = new Draw("payloads");
    const count = scaleCount(5_000, 600);
    let hiding = 0;
    for (let n = 0; n < count; n++) {
      const { text, core } = rules[n % rules.length]!;
      const command = text.split(core).join(payload(draw));
      const shown = sanitizeText(command);
      expect(readSyntax(shown), command).toBe(readSyntax(command));
      expect(readSyntax(sanitizeText(shown)), command).toBe(readSyntax(command));
      const cards = renderCards(shown);
      expect(cards.telegram).toContain(shown);
      expect(cards.slack).toContain(JSON.stringify(shown).slice(1, -1));
      // A screen for each costs more than all the rest.
      if (n % 5 === 0 && !WIDE.test(command)) expect(await coveredSyntax(command), command).toBe("");
      if (shown === command) continue;
      hiding++;
      const hidden = measureHidden([command]);
      expect(hidden, command).not.toBeNull();
      const event = promptEvent({ content: { text: shown, cut: null, ...(hidden && { hidden }) } });
      expect(approvesHidden(event, "1")).toBe(true);
      expect(approvesHidden(event, "3")).toBe(false);
    }
    console.log(`redaction: ${count} payloads, of ${hiding} something was hidden, no syntax of any`);
  });
});

/** A run of so many characters of a secret is no accident. */
const TELLING = 12;

function revealsPart(text: string, core: string): boolean {
  for (let at = 0; at + TELLING <= core.length; at++)
    if (text.includes(core.slice(at, at + TELLING))) return true;
  return false;
}

/** Every file below, as it is, and what recordings hold in base64. */
function filesBelow(folder: string): { name: string; text: string }[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const name = join(entry.parentPath, entry.name);
      const raw = readFileSync(name, "latin1");
      const recorded = [...raw.matchAll(/_b64":"([A-Za-z0-9+/=]{1,1000000})"/g)].map(([, data = ""]) =>
        Buffer.from(data, "base64").toString("latin1"),
      );
      return { name, text: `${raw}\n${recorded.join("")}` };
    });
}

/** Asks one line after the other; each must be answered. */
const ASK = `for file in "$0"/*; do printf '\\033[2J\\033[H%s\\nGo on? [y/N] ' "$(cat "$file")"; read answer; done`;
/** One row of the terminal each, so that every one of them is found. */
const ROW_LENGTH_MAX = 76;

describe("secrets at rest", () => {
  it("are in no file of a hub and its workers: database, log, archive, captured scenarios", async () => {
    const rows = secrets.filter(
      ({ text, core }) => text.length <= ROW_LENGTH_MAX && !text.includes("\n") && core.length >= TELLING,
    );
    const count = Math.min(rows.length, scaleCount(100, 8));
    const planted = Array.from({ length: count }, (_, at) => rows[Math.floor((at * rows.length) / count)]!);
    const home = new HubHome({ env: { ATLASBRIDGE_CAPTURE_PROMPTS: "1" } });
    const source = mkdtempSync(join(tmpdir(), "atb-planted-"));
    try {
      for (const [at, { text }] of planted.entries())
        writeFileSync(join(source, String(at).padStart(4, "0")), text);
      home.start("run", "--label", "planted", "sh", "-c", ASK, source);
      for (let answered = 0; answered < count; answered++) {
        let shortId = "";
        await eventually(async () => {
          const [prompt] = await home.data<{ shortId: string; state: string }[]>("prompts").catch(() => []);
          shortId = prompt?.state === "pending" ? prompt.shortId : "";
          return shortId !== "";
        });
        await home.run("answer", shortId, "n", "--wait");
      }
      const copy = join(home.folder, "copy.db");
      expect((await home.run("db", "archive", copy)).code).toBe(0);
      const found = filesBelow(home.folder).flatMap(({ name, text }) =>
        planted.filter(({ core }) => revealsPart(text, core)).map((secret) => `${name}: ${secret.name}`),
      );
      const files = filesBelow(home.folder).length;
      console.log(`redaction: ${count} secrets planted, ${files} files searched, ${found.length} found`);
      expect(found).toEqual([]);
    } finally {
      await home.close();
      rmSync(source, { recursive: true, force: true });
    }
  });
});
