import type { AskToRun, OwnFile } from "../../plugins/adapters/agreed-files.js";
import { makeVisible, markLineBreaks } from "../../safety/display.js";
import { askYesNo } from "../setup/ask.js";

/** In characters: a longer command or variable would scroll the other lines off the screen. */
const SHOWN_MAX = 200;

export const askAtTerminal: AskToRun = async (own, agreement) => {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return null;
  const head =
    agreement === "new"
      ? "This adapter file is yours, and was never run here:"
      : "This adapter file was changed since you agreed to run it:";
  const advice = "An adapter file is a program, with your rights. Read it if you did not write it.";
  stderr.write(`${[head, ...describeOwnFile(own), advice].join("\n")}\n`);
  return askYesNo("Run it?", { output: stderr });
};

export function describeOwnFile({ file, programs, env }: OwnFile): readonly string[] {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [
    `  ${show(file)}`,
    ...programs.map((program) => `  starts  ${cut(show(program))}`),
    ...variables.map((variable) => `  sets    ${cut(show(variable))}`),
  ];
}

function show(text: string): string {
  return markLineBreaks(makeVisible(text));
}

function cut(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}… (${text.length} characters)` : text;
}
