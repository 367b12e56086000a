/** The settings of a terminal are read by a system call as `stty -g` prints them, so that `stty` accepts them. */
import { closeSync, constants, openSync } from "node:fs";
import { expect, it } from "vitest";
import { readSettingsByCall } from "../../../../../src/worker/session/host/stty.js";
import { Collector, start } from "../../../support/tools.js";

it.each([
  ["as they are", "stty sane"],
  ["of a raw terminal", "stty raw -echo"],
  ["with other characters and speed", "stty intr ^A erase ^H min 7 time 3 -ixon istrip 9600"],
])("the settings are those that stty prints, %s", async (_, change) => {
  const terminal = start(["sh", "-c", `${change}; printf '[%s]' "$(stty -g)"; read rest`]);
  const output = new Collector(terminal);
  await output.until(/\[.*\]/);
  const fd = openSync(terminal.ptsPath ?? "", constants.O_RDWR | constants.O_NOCTTY);
  expect(readSettingsByCall(fd)).toBe(/\[(.*)\]/.exec(output.text)?.[1]);
  closeSync(fd);
  terminal.kill("SIGKILL");
  await terminal.exited;
});

it("a file that is no terminal has no settings", () => {
  const fd = openSync("/dev/null", "r");
  expect(readSettingsByCall(fd)).toBeNull();
  closeSync(fd);
});
