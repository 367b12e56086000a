/**
 * The pages on driving and adding programs are followed word by word, at two real terminals in a new home: every command works, and prints
 * what the page shows.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually, HubHome, MAIN } from "../support/hub-home.js";
import { isAsShown, readSteps } from "../support/pages/read-steps.js";
import { RealTerminal } from "../support/real-cli/terminal.js";
import { cleanEnv } from "../support/real-cli/workspace.js";

const SIZE = { cols: 200, rows: 50 };
const CONSENT = "Run it? [y/N] ";
const CTRL_D = "\x04";

class Reader {
  readonly #hub = new HubHome({ inside: ".config/atlasbridge" });
  readonly home = dirname(dirname(this.#hub.folder));
  readonly #folderFile = join(this.home, ".folder");
  #first: RealTerminal | null = null;

  constructor() {
    mkdirSync(this.#hub.folder, { recursive: true });
    const command = this.resolve("~/.local/bin/atlasbridge");
    this.write(command, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
    chmodSync(command, 0o755);
    this.write(this.#folderFile, this.home);
  }

  resolve(file: string): string {
    return file.startsWith("~/") ? join(this.home, file.slice(2)) : join(this.#folder, file);
  }

  write(file: string, content: string): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  get #folder(): string {
    return readFileSync(this.#folderFile, "utf8").trim();
  }

  /** At the first terminal, where the program before is ended first. */
  async open(commands: string): Promise<void> {
    if (this.#first !== null) {
      this.#first.press(CTRL_D);
      await this.#first.exited;
      await this.#first.close();
    }
    this.#first = this.#startShell(commands);
    const label = /--label (\w+)/.exec(commands)?.[1] ?? "";
    await eventually(async () => (await this.#hub.run("sessions")).stdout.includes(`(${label})`));
  }

  /** At the second terminal, where questions about files of the user are answered with yes. Returns what it printed. */
  async type(commands: string): Promise<string> {
    const terminal = this.#startShell(`${commands}\npwd > '${this.#folderFile}'`);
    const decoder = new TextDecoder();
    let printed = "";
    let answered = 0;
    terminal.onOutput = (bytes) => {
      printed += decoder.decode(bytes, { stream: true });
      const asked = printed.indexOf(CONSENT, answered);
      if (asked < 0) return;
      answered = asked + CONSENT.length;
      terminal.press("y\r");
    };
    try {
      await terminal.exited;
      return stripVTControlCharacters(printed).replaceAll("\r", "");
    } finally {
      await terminal.close();
    }
  }

  #startShell(commands: string): RealTerminal {
    const path = `${this.home}/.local/bin:${process.env.PATH ?? ""}`;
    const env = { ...strings(this.#hub.env), ...cleanEnv(this.home), PATH: path };
    const args = ["--norc", "-c", commands];
    return new RealTerminal({ file: "bash", args, cwd: this.#folder, env }, SIZE);
  }

  async close(): Promise<void> {
    await this.#first?.close();
    await this.#hub.close();
  }
}

function strings(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? ""]));
}

let reader: Reader;
beforeEach(() => {
  reader = new Reader();
});
afterEach(() => reader.close());

it.each(["docs/how-to/drive-a-program.md", "docs/how-to/add-a-program.md"])(
  "%s can be followed word by word",
  async (page) => {
    const steps = readSteps(readFileSync(page, "utf8"));
    let outputs = 0;
    for (const step of steps) {
      if (step.kind === "written") reader.write(reader.resolve(step.file), step.content);
      else if (step.commands.startsWith("atlasbridge run ")) await reader.open(step.commands);
      else {
        const printed = await reader.type(step.commands);
        const shown = step.shown ?? "";
        if (step.shown !== null) outputs++;
        // What is as on the page is compared with itself, so that a failure shows the commands and both texts.
        const found = isAsShown(shown, printed) ? shown : printed;
        expect({ commands: step.commands, output: found }).toEqual({
          commands: step.commands,
          output: shown,
        });
      }
    }
    expect(outputs).toBeGreaterThan(5);
  },
);
