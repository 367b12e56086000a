/** Checks the terminal that `doctor` runs in, which a `run` started here would use. */
import { SESSION_MARK } from "../model/session-mark.js";
import { SIZE_WITHOUT_TERMINAL } from "../worker/session/host/host-terminal.js";
import { passCheck, warnCheck, type CheckFinding } from "./check.js";

export interface TerminalFacts {
  readonly input: boolean;
  readonly output: boolean;
  /** In character cells; null if no stream is a terminal. */
  readonly size: { readonly cols: number; readonly rows: number } | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function checkTerminal(facts: TerminalFacts): CheckFinding[] {
  return [checkStreams(facts), checkType(facts), checkLocale(facts)];
}

/** Programs between the terminal and what runs in it. */
const AROUND = { TMUX: "tmux", STY: "screen", ZELLIJ: "zellij", [SESSION_MARK]: "an AtlasBridge session" };

function checkStreams({ input, output, size, env }: TerminalFacts): CheckFinding {
  if (!size) {
    const { cols, rows } = SIZE_WITHOUT_TERMINAL;
    return warnCheck(
      "terminal",
      `no terminal: a tool started here gets one with ${cols}×${rows} cells`,
      null,
    );
  }
  const around = Object.entries(AROUND).flatMap(([variable, name]) =>
    env[variable] ? [`inside ${name}`] : [],
  );
  const piped = [input ? null : "standard input", output ? null : "standard output"].filter(Boolean);
  return passCheck(
    "terminal",
    [
      `${size.cols}×${size.rows} cells`,
      ...around,
      ...(piped.length === 0 ? [] : [`${piped.join(" and ")} redirected`]),
    ].join(", "),
  );
}

function checkType({ size, env: { TERM: type } }: TerminalFacts): CheckFinding {
  if (type && type !== "dumb") return passCheck("terminal_type", `TERM=${type}`);
  if (!size) return passCheck("terminal_type", "no terminal");
  return warnCheck(
    "terminal_type",
    type
      ? "TERM=dumb: many tools do not work with it"
      : "TERM is not set: tools must guess the terminal's features",
    "Set TERM to your terminal's type, often xterm-256color.",
  );
}

/** In the C library's order; an empty value counts as unset. */
function checkLocale({ env }: TerminalFacts): CheckFinding {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => value);
  if (locale !== undefined && /utf-?8/i.test(locale)) return passCheck("locale", locale);
  return warnCheck(
    "locale",
    `${locale ?? "none is set"}: non-ASCII characters may display incorrectly`,
    "Set LANG to a UTF-8 locale, such as C.UTF-8.",
  );
}
