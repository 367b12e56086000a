/** `doctor` checks the terminal: its type, its locale, redirected streams and programs around it. */
import { describe, expect, it } from "vitest";
import { checkTerminal, type TerminalFacts } from "../../../src/doctor/terminal.js";

const GOOD: TerminalFacts = {
  input: true,
  output: true,
  size: { cols: 132, rows: 43 },
  env: { TERM: "xterm-256color", LANG: "en_US.UTF-8" },
};

function look(over: Partial<TerminalFacts> = {}, env: TerminalFacts["env"] = {}) {
  const [terminal, type, locale] = checkTerminal({ ...GOOD, ...over, env: { ...GOOD.env, ...env } });
  return { terminal, type, locale };
}

describe("the terminal as doctor sees it", () => {
  it("is no fault", () => {
    const { terminal, type, locale } = look();
    expect([terminal?.state, type?.state, locale?.state]).toEqual(["ok", "ok", "ok"]);
    expect(terminal?.found).toBe("132×43 cells");
  });

  it.each([
    ["TMUX", "tmux"],
    ["STY", "screen"],
    ["ATLASBRIDGE_SESSION", "an AtlasBridge session"],
  ])("with %s is reported to be inside %s", (variable, name) => {
    expect(look({}, { [variable]: "x" }).terminal?.found).toBe(`132×43 cells, inside ${name}`);
  });

  it("names what is redirected", () => {
    expect(look({ output: false }).terminal?.found).toBe("132×43 cells, standard output redirected");
  });

  it("is a warning where there is none, and its type does not matter then", () => {
    const { terminal, type } = look({ size: null }, { TERM: undefined });
    expect(terminal).toMatchObject({ state: "warn", found: expect.stringContaining("120×50") as string });
    expect(type?.state).toBe("ok");
  });

  it.each([undefined, "", "dumb"])("of the type %j is a warning", (TERM) => {
    expect(look({}, { TERM }).type).toMatchObject({ state: "warn" });
  });

  it.each([
    [{ LC_ALL: "C", LANG: "en_US.UTF-8" }, "warn"],
    [{ LC_ALL: "", LC_CTYPE: "C.utf8", LANG: "C" }, "ok"],
    [{ LANG: undefined }, "warn"],
  ])("with the locale %j: %s", (env, state) => {
    expect(look({}, env).locale?.state).toBe(state);
  });
});
