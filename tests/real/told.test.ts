/** What real CLIs tell by hooks that hold nothing: what their dialogs cut, and what they said last. The user's own hooks run on. */
import { describe, expect, it } from "vitest";
import { exec } from "../support/corpus/codex/moves.js";
import type { ToolCall } from "../support/fake-model/script.js";
import { LAST_WORDS, MAKE_FILE } from "../support/fake-model/scenarios.js";
import { eventually } from "../support/hub-home.js";
import { ToolSession } from "../support/matrix/tool-session.js";
import type { MatrixTool, SizeName } from "../support/matrix/matrix.js";
import { installClaude } from "../support/real-cli/claude.js";
import { codex } from "../support/real-cli/codex.js";
import { gemini } from "../support/real-cli/gemini.js";
import { qwen } from "../support/real-cli/qwen.js";
import type { RealTool, ToolOptions } from "../support/real-cli/tool.js";
import { withHookedClaude } from "../support/rig/claude-hooked.js";
import { INPUT_BOX } from "../support/rig/claude-session.js";
import { withRig, type Rig } from "../support/rig/rig.js";
import { skipped } from "../support/skipped.js";

const CONFIRMED = /^✅ .*, by Ara, (?:confirmed|taken by [a-z]+)$/;
/** The end of what is waited for; a start-up may end in rest as well. */
const END = /Shall I push it\?$/;
/** More than any of the tools shows at 45x20. */
const SCRIPT = [
  "set -e",
  ...Array.from({ length: 20 }, (_, at) => `echo "entry ${at} of it"`),
  MAKE_FILE,
].join("\n");

interface Told {
  readonly tool: RealTool;
  readonly composer: RegExp;
  readonly options: object;
  /** The call that its dialog cuts; else why there is none. */
  readonly call: ToolCall | string;
  /** Options with which its user has a hook of their own for the end of a turn. */
  readonly own: (command: string) => object;
  readonly settings: string;
  /** Why it tells nothing by itself. */
  readonly silent?: string;
  /** Why its last words do not stand on its screen. */
  readonly hidden?: string;
}

const hook = (command: string) => [{ hooks: [{ type: "command", command }] }];

const TOLD: readonly Told[] = [
  {
    tool: codex,
    composer: /Ask Codex to do anything/,
    options: {},
    call: exec(SCRIPT),
    own: (command) => ({ stopHook: command }),
    settings: "~/.codex/config.toml",
  },
  {
    tool: qwen,
    composer: /Type your message/,
    options: { byName: true },
    call: {
      name: "run_shell_command",
      input: { command: SCRIPT, description: "Write a report", is_background: false },
    },
    own: (command) => ({ settings: { hooks: { Stop: hook(command) } } }),
    settings: "~/.qwen/settings.json",
    hidden:
      "qwen shows what the fake model says last as the next task, too, which pushes the answer off its screen",
  },
  {
    tool: gemini,
    composer: /Type your message/,
    options: {},
    call: "gemini draws its dialogs whole",
    own: () => ({}),
    settings: "~/.gemini/settings.json",
    silent: "gemini is told to call nobody",
  },
];

const tools = await Promise.all(TOLD.map(async (told) => ({ told, installed: await told.tool.install() })));

interface Opened {
  readonly session: ToolSession;
  readonly rig: Rig;
}

/** A session of the tool whose model does these calls and then says its last words. */
async function withTool(
  { tool, composer, options }: Told,
  modules: string,
  {
    calls = [],
    size = "80x24",
    flags = [],
    own = {},
  }: { calls?: readonly ToolCall[]; size?: SizeName; flags?: readonly string[]; own?: object },
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const table: MatrixTool = { tool, composer, dialogs: [] };
  const steps = [...(calls.length > 0 ? [{ tools: calls }] : []), { text: LAST_WORDS }];
  const chosen: ToolOptions = { ...options, ...own };
  const dialog = { name: "told", options: chosen, model: steps, question: /^/, choices: [] };
  await withRig(async (rig) => {
    const session = await ToolSession.start(rig, { table, dialog, modules, size, flags });
    try {
      await session.ask();
      await work({ session, rig });
    } catch (problem) {
      // Whoever reads of a failure has to see what the person saw.
      const seen = [session.account, "The notices:", ...rig.phone.notices].join("\n");
      throw new Error(`${problem instanceof Error ? problem.message : ""}\n${seen}`, { cause: problem });
    } finally {
      await session.close();
    }
  });
}

/** What the person in the chat reads of the tool's last words. */
async function lastWords(rig: Rig, end = END): Promise<string> {
  const [, ...words] = (await rig.phone.notice(end)).split("\n\n");
  return words.join("\n\n");
}

/** Tools draw a list in their own way. */
const drawn = (text: string): string => text.replaceAll(/^ ?[•-] /gm, "- ");

describe.each(tools)("the real $told.tool.name", ({ told, installed }) => {
  const { call, silent = null, hidden = null } = told;
  const missing = installed.ok ? null : installed.reason;
  const modules = installed.ok ? installed.modules : "";

  it.skipIf(skipped(missing ?? (typeof call === "string" ? call : null)))(
    "shows the phone all of a command that its dialog cuts",
    () =>
      withTool(
        told,
        modules,
        { calls: typeof call === "string" ? [] : [call], size: "45x20" },
        async ({ session }) => {
          const card = await session.run.card();
          expect(card.isMarkedCut).toBe(false);
          for (const line of SCRIPT.split("\n")) expect(card.content).toContain(line);
          await card.press(1);
          expect(await card.settled()).toMatch(CONFIRMED);
          await eventually(() => session.timesRun === 1);
        },
      ),
  );

  it.skipIf(skipped(missing ?? silent))("says its last words to the chat exactly, by its hook", () =>
    withTool(told, modules, {}, async ({ rig }) => expect(await lastWords(rig)).toBe(LAST_WORDS)),
  );

  it.skipIf(skipped(missing ?? hidden))("says them as they stand on the screen, without hooks", () =>
    withTool(told, modules, { flags: ["--no-hooks"] }, async ({ rig }) =>
      expect(drawn(await lastWords(rig))).toBe(LAST_WORDS),
    ),
  );

  it.skipIf(skipped(missing ?? silent))(
    "runs its user's own hooks beside ours, and leaves their settings as they are",
    () =>
      withTool(
        told,
        modules,
        { own: told.own("cat > /dev/null; echo ran >> own.log") },
        async ({ session, rig }) => {
          const before = session.read(told.settings);
          expect(before).toContain("own.log");
          expect(await lastWords(rig)).toBe(LAST_WORDS);
          await eventually(() => session.read("own.log") === "ran\n");
          expect(session.read(told.settings)).toBe(before);
        },
      ),
  );
});

const claude = await installClaude();

describe.skipIf(!claude.ok)("the real claude", () => {
  it("says by its hook why a turn failed", () =>
    withHookedClaude(claude.ok ? claude.modules : "", async (open, rig) => {
      const idle = { name: "words", scenario: null, drawn: INPUT_BOX, question: "", content: [], rows: [] };
      const session = await open(idle);
      await session.play("refused");
      expect(await lastWords(rig, /too low/i)).toMatch(/credit balance is too low/i);
    }));

  it.each([
    ["by its hook", []],
    ["as they stand on the screen, without hooks", ["--no-hooks"]],
  ])("says its last words to the chat exactly, %s", (_, flags) =>
    withHookedClaude(claude.ok ? claude.modules : "", async (open, rig) => {
      const idle = { name: "words", scenario: null, drawn: INPUT_BOX, question: "", content: [], rows: [] };
      const session = await open(idle, { flags });
      await session.play("last-words");
      expect(await lastWords(rig)).toBe(LAST_WORDS);
    }),
  );
});
