/**
 * What a program below an agent asks on a plain line is read by the generic rules, with its buttons, whichever agent it is; not where the
 * agent shows its own state, nor where its answer only ends in such words.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { getPackagePlace, loadAdapter } from "../../../../src/plugins/adapters/adapters.js";
import type { CompiledAdapter } from "../../../../src/worker/adapter-format/compiled/compiled.js";
import type { Signals } from "../../../../src/sdk/view.js";
import { detectOn } from "./screens.js";

const AGENTS = ["aider", "claude", "codex", "copilot", "gemini", "goose", "opencode", "qwen"];
const READS: Signals = { canonical: true, echo: true, blockedOnRead: true };
const adapters = new Map<string, CompiledAdapter>();

beforeAll(async () => {
  for (const name of AGENTS) adapters.set(name, await loadAdapter(name, getPackagePlace()));
});

async function read(agent: string, rows: readonly string[], signals: Signals = READS) {
  const { candidate, stableMs } = await detectOn(adapters.get(agent)!, rows, { signals });
  const choices = candidate?.choices.map(({ label }) => label);
  return { type: candidate?.promptType, choices, candidate, stableMs };
}

describe.each(AGENTS)("a program below %s that asks on a plain line", (agent) => {
  it("is read at once, with its default where one is marked", async () => {
    const found = await read(agent, ["Need to install create-app", "Ok to proceed? [Y/n] "]);
    expect(found).toMatchObject({ type: "yes_no", choices: ["Yes", "No"] });
    expect(found.candidate?.highlighted).toBe(1);
    expect(found.stableMs).toBeLessThanOrEqual(250);
    expect((await read(agent, ["Proceed? (y/n) "])).candidate?.highlighted).toBeNull();
  });

  it("is read with its letters, in the case in which they are typed", async () => {
    const rows = ["-one", "+two", "(1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,e,?]? "];
    const { choices, candidate } = await read(agent, rows);
    expect(choices).toEqual(["y", "n", "q", "a", "d", "j", "J", "g", "/", "e", "?"]);
    expect(candidate?.choices[6]?.answer).toEqual({ by: "line", text: "J" });
    expect(candidate?.choices.map(({ intent }) => intent).slice(0, 3)).toEqual([
      "allow_once",
      "reject_once",
      "other",
    ]);
    expect(candidate?.choices.flatMap(({ detail }) => detail ?? [])).toEqual(["yes", "no", "quit", "help"]);
    expect((await read(agent, ["Trust this key? [y/n/t] "])).choices).toEqual(["y", "n", "t"]);
  });

  it("is read with the letters of a prompt library, of which the one in upper case is the default", async () => {
    const { choices, candidate } = await read(agent, ["? Overwrite app.js? (yaxH) "], {
      canonical: false,
      echo: false,
    });
    expect(choices).toEqual(["y", "a", "x", "H"]);
    expect(candidate?.highlighted).toBe(4);
    expect(candidate?.choices[3]?.answer).toEqual({ by: "typed", text: "h" });
  });

  it("is a secret without echo, and a text where it provably reads a line", async () => {
    const secret = await read(agent, ["[sudo] password for dev: "], { ...READS, echo: false });
    expect(secret.type).toBe("secret");
    expect((await read(agent, ["Project name: "])).type).toBe("free_text");
  });

  it("does not ask while nobody reads, or below a text that only ends like that", async () => {
    expect(
      (await read(agent, ["Continue? [y/N] "], { ...READS, blockedOnRead: false })).candidate,
    ).toBeNull();
    expect((await read(agent, ["Project name: "], {})).type).not.toBe("free_text");
    expect((await read(agent, ["Continue? [y/N] ", "", "That is what it prints."])).type).not.toBe("yes_no");
  });
});

it("is not read from an agent's screen that shows what the agent does", async () => {
  const rows = ["● It asks: Continue? (y/n)", "─".repeat(80), "❯\u00a0Continue? (y/n) "];
  expect((await read("claude", rows, {})).type).not.toBe("yes_no");
});
