/** A process is named after the script that it runs; a shell or an interpreter that reads commands keeps its own name. */
import { describe, expect, it } from "vitest";
import { nameProgram } from "../../../../../src/worker/process/facts/program-name.js";

const name = (line: string, readsInput = true): string => {
  const words = line.split(" ");
  return nameProgram(words[0] ?? "", words, readsInput);
};

describe("the name of a program", () => {
  it.each([
    ["bash install.sh --yes", "install.sh"],
    ["bash --rcfile /etc/rc -e ./x/run.sh", "bash -e"],
    ["sh ./x/run.sh", "run.sh"],
    ["node --require ./hook.js /usr/bin/drizzle-kit push", "drizzle-kit"],
    ["python3 -X dev /opt/ask.py", "ask.py"],
    ["python3 -m pdb x.py", "python3 -m"],
    ["bash -lc echo", "bash -lc"],
    ["vim notes.txt", "vim"],
  ])("%s", (line, expected) => {
    expect(name(line)).toBe(expected);
  });

  it.each(["bash", "bash --norc", "zsh -f -o no_beep", "python3", "python3 -i x.py", "node"])(
    "is that of what reads commands: %s",
    (line) => {
      expect(name(line)).toBe(line.split(" ", 1)[0]);
    },
  );

  it("is another where the commands come from a pipe", () => {
    expect(name("sh", false)).toBe("sh -");
  });
});
