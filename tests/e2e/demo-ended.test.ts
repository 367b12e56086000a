/** A demo that is ended early by a signal, or by its window, leaves neither its hub nor its folder behind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { makeTestFolder } from "../support/temporary-folder.js";

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "the demo leaves nothing behind when it is ended by %s",
  async (signal) => {
    const folder = makeTestFolder("demo");
    const env = { ...process.env, TMPDIR: folder };
    const demo = spawn(process.execPath, ["dist/main.js", "demo", "--auto"], { env, stdio: "ignore" });
    const ended = once(demo, "exit");
    await eventually(() => listHubSockets(folder).length > 0);
    demo.kill(signal);
    expect(await ended).toEqual([null, signal]);
    expect(readdirSync(folder)).toEqual([]);
  },
);

function listHubSockets(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("hub.sock"),
  );
}
