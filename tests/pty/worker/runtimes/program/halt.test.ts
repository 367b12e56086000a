/** A pause, or a console that is closed, ends what was asked before: no further line of a block is typed, and it is said how far it came. */
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { eventually } from "../../../../support/hub-home.js";
import { openTestProgram } from "../../../../support/program/open.js";
import { notInstalled, skipped } from "../../../../support/skipped.js";

describe("a program whose session is halted", () => {
  it.skipIf(skipped(notInstalled("gdb")))(
    "gets no further line of a block, and takes the next command",
    async () => {
      const gdb = await openTestProgram("gdb");
      try {
        const [begun, never] = [`${gdb.folder}/begun`, `${gdb.folder}/never`];
        const block = gdb.run(`p 1\nshell touch ${begun}; sleep 1\nshell touch ${never}`);
        await eventually(() => existsSync(begun));
        gdb.session.halt("AtlasBridge was paused");
        expect(await block).toMatchObject({
          state: "finished",
          note: "only 2 of 3 lines were typed: AtlasBridge was paused",
        });
        expect((await gdb.run("p 6 * 7")).output.text).toBe("$2 = 42\n");
        expect(existsSync(never)).toBe(false);
      } finally {
        await gdb.close();
      }
    },
  );

  it("types nothing of a command that waits for its turn, and says so at once", async () => {
    const bash = await openTestProgram("bash");
    try {
      // Nobody has given this line through the session, so it waits for the end of it.
      await bash.terminal.write(Buffer.from("sh -c 'echo has be''gun; exec sleep 100'\n"));
      // Before its command has the terminal, bash may lose an interrupt.
      await eventually(() => bash.screen.view().lines.some(({ text }) => text === "has begun"));
      const waiting = bash.run(`touch ${bash.folder}/never`);
      bash.session.halt("its console was closed");
      expect(await waiting).toMatchObject({ state: "refused", note: "its console was closed" });
      await bash.terminal.write(Buffer.from("\x03"));
      await eventually(() => bash.session.phase === "prompt");
      expect((await bash.run("ls never")).exitCode).not.toBe(0);
    } finally {
      await bash.close();
    }
  });
});
