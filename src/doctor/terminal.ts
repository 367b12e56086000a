/** The terminal that `doctor` was started in: a `run` started here would have the same. */
import { SESSION_MARK } from "../model/session-mark.js";
import { SIZE_WITHOUT_TERMINAL } from "../worker/session/host/host-terminal.js";
import { passedCheck, warn, type CheckFinding } from "./check.js";

export interface TerminalFacts {
  /** Whether standard input and output are a terminal. */
  readonly input: boolean;
  readonly output: boolean;
  /** In character cells; null where no stream is a terminal. */
  readonly size: { readonly cols: number; readonly rows: number } | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function checkTerminal(facts: TerminalFacts): CheckFinding[] {
  return [checkStreams(facts), checkType(facts), checkLocale(facts)];
}

/** What stands between the terminal and what runs in it. */
const AROUND = { TMUX: "tmux", STY: "screen", ZELLIJ: "zellij", [SESSION_MARK]: "an AtlasBridge session" };

function checkStreams({ input, output, size, env }: TerminalFacts): CheckFinding {
  if (!size) {
    const { cols, rows } = SIZE_WITHOUT_TERMINAL;
    return warn("terminal", `there is none: a tool started here gets one of ${cols}×${rows} cells`, null);
  }
  const around = Object.entries(AROUND).flatMap(([variable, name]) =>
    env[variable] ? [`inside ${name}`] : [],
  );
  const piped = [input ? null : "standard input", output ? null : "standard output"].filter(Boolean);
  return passedCheck(
    "terminal",
    [
      `${size.cols}×${size.rows} cells`,
      ...around,
      ...(piped.length === 0 ? [] : [`${piped.join(" and ")} redirected`]),
    ].join(", "),
  );
}

function checkType({ size, env: { TERM: type } }: TerminalFacts): CheckFinding {
  if (type && type !== "dumb") return passedCheck("terminal_type", `TERM=${type}`);
  if (!size) return passedCheck("terminal_type", "no terminal");
  return warn(
    "terminal_type",
    type ? "TERM=dumb: many tools do not draw in it" : "TERM is not set: tools guess what they may draw",
    "Set TERM to what your terminal is, often xterm-256color.",
  );
}

/** The C library asks these in this order; an empty one counts as not set. */
function checkLocale({ env }: TerminalFacts): CheckFinding {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => value);
  if (locale !== undefined && /utf-?8/i.test(locale)) return passedCheck("locale", locale);
  return warn(
    "locale",
    `${locale ?? "none is set"}: characters beyond ASCII may be drawn as several`,
    "Set LANG to one with UTF-8, such as C.UTF-8.",
  );
}
