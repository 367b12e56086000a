/** Screens that no rule describes and that name their keys themselves: notices, and fields for a secret. */
import { describe, expect, it } from "vitest";
import { ANY_LIST_MS } from "../../../../../src/worker/detection/matchers/unrecognized-screen.js";
import { detectOn, shippedAdapter } from "../screens.js";

const claude = shippedAdapter("claude");
const HIDDEN = { cursorHidden: true, alternate: true } as const;
const NOTICE = [
  "─".repeat(80),
  "  The sandbox is not there",
  "",
  "  Commands would run without it.",
  "",
  "  Enter to go on without it · shift+Tab to read more · Esc to cancel",
];

describe("a notice that names its keys", () => {
  it("is one for Enter, with the other keys beside it, soon, and with the lowest score", async () => {
    const { candidate, stableMs } = await detectOn(claude, NOTICE, HIDDEN);
    expect(candidate).toMatchObject({
      rule: "key_notice",
      promptType: "confirm_enter",
      score: 0.6,
      content: { cut: {} },
      constraints: {
        keys: [
          { key: "enter", does: "go on without it" },
          { key: "shift+tab", does: "read more" },
          { key: "esc", does: "cancel" },
        ],
      },
    });
    expect(stableMs).toBe(ANY_LIST_MS);
  });

  it("may stand below pages of questions, and in a frame below text of another background", async () => {
    const side = (text: string): string => `│ ${text.padEnd(76)} │`;
    const rows = [
      "\u001b[48;5;240m > Tidy up\u001b[0m",
      `╭${"─".repeat(78)}╮`,
      side("← ✓ Database │ ≡ Review →"),
      side(""),
      side("Database → SQLite"),
      side("Enter to submit · Tab to edit answers · Esc to cancel"),
      `╰${"─".repeat(78)}╯`,
    ];
    expect((await detectOn(claude, rows, HIDDEN)).candidate).toMatchObject({ rule: "key_notice" });
    const marked = rows.with(4, side("✓ Database"));
    expect((await detectOn(claude, marked, HIDDEN)).candidate?.rule).not.toBe("key_notice");
  });

  it.each([
    ["a cursor that is shown", NOTICE, { ...HIDDEN, cursorHidden: false, cursor: [3, 3] }],
    ["a row that is marked", [...NOTICE.slice(0, 4), "  ❯ Only this one", ...NOTICE.slice(4)], HIDDEN],
    ["boxes to tick", [...NOTICE.slice(0, 4), "  [ ] Only this", ...NOTICE.slice(4)], HIDDEN],
    ["Enter that takes a row", [...NOTICE.slice(0, 5), "  Enter to select · Esc to cancel"], HIDDEN],
    ["Enter that confirms a row", [...NOTICE.slice(0, 5), "  Enter to confirm · Esc to cancel"], HIDDEN],
    [
      "a row that an unusual sign marks",
      [...NOTICE.slice(0, 4), "  ◈ Only this one", ...NOTICE.slice(4)],
      HIDDEN,
    ],
    [
      "a row that a background marks",
      [...NOTICE.slice(0, 4), "  \u001b[7mThis one\u001b[0m", ...NOTICE.slice(4)],
      HIDDEN,
    ],
    ["Enter alone", [...NOTICE.slice(0, 5), "  Enter to go on"], HIDDEN],
    ["more below the keys", [...NOTICE, "", "one", "two", "three"], HIDDEN],
  ] as const)("is none with %s", async (_, rows, drawing) => {
    const { candidate } = await detectOn(claude, rows, drawing);
    expect(candidate?.promptType).not.toBe("confirm_enter");
  });
});

describe("a field for a secret that no rule describes", () => {
  const FIELD = [
    "─".repeat(80),
    "  Paste your API key below.",
    "╭──────────────────────────────╮",
    "│ ••••                         │",
    "╰──────────────────────────────╯",
    "  Press enter to save",
    "  Press esc to go back",
  ];

  it("is typed at the terminal only, and shows nothing of what stands in it", async () => {
    const { candidate } = await detectOn(claude, FIELD, HIDDEN);
    expect(candidate).toMatchObject({
      rule: "secret_field",
      promptType: "secret",
      drawn: "",
      content: { text: "" },
    });
  });

  it("stays the same prompt while somebody types into it", async () => {
    const before = await detectOn(claude, FIELD, HIDDEN);
    const typed = FIELD.map((row) => row.replace("••••  ", "••••••"));
    const after = await detectOn(claude, typed, HIDDEN);
    expect(after.candidate?.fingerprint).toBe(before.candidate?.fingerprint);
  });

  it("is none where a secret is only mentioned", async () => {
    const rows = FIELD.with(1, "  Your API key is kept in the keychain.");
    expect((await detectOn(claude, rows, HIDDEN)).candidate?.promptType).not.toBe("secret");
  });
});
