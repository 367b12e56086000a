/** What a connection means whose listener is gone before it could be checked. Real processes and sockets. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { proveHub, type Impostor } from "../../../../src/client/connect/approach.js";
import { systemClock } from "../../../../src/observe/clock.js";
import { dial } from "../../../../src/wire/dial.js";
import { HUB_CALLS } from "../../../../src/wire/messages.js";
import { Peer } from "../../../../src/wire/peer.js";
import { HubHome } from "../../../support/hub-home.js";
import { notLinux, skipped } from "../../../support/skipped.js";

/** It never accepts a connection: one that it had accepted would end with it. */
const LISTENER = `
  const server = require("net").createServer().listen(process.argv[1], () => {
    const heir = process.argv[2] === "heir" &&
      require("child_process").spawn("sleep", ["600"], { detached: true, stdio: ["ignore", "ignore", "ignore", server._handle.fd] });
    require("fs").writeSync(1, String(heir ? heir.pid : 0));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

describe.skipIf(skipped(notLinux))("a connection whose listener exited before it was checked", () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** Connects to a listener and kills it. The heir, if there is one, holds the listener's socket from then on. */
  async function meetKilled(heir: "heir" | "no heir"): Promise<{ error: unknown; impostors: Impostor[] }> {
    const home = new HubHome();
    ends.push(() => home.close());
    const place = join(home.folder, "listener.sock");
    const listener = spawn(process.execPath, ["-e", LISTENER, place, heir]);
    const [line] = (await once(listener.stdout, "data")) as [Buffer];
    const pid = Number(line.toString());
    if (pid > 0) ends.push(() => process.kill(pid, "SIGKILL"));
    const socket: Socket = await dial(place);
    ends.push(() => socket.destroy());
    // The system may tell the end of the listener as a reset before anybody else listens to the socket.
    socket.on("error", () => undefined);
    // Until it is reaped, the system still names it as the socket's owner.
    const reaped = once(listener, "exit");
    listener.kill("SIGKILL");
    await reaped;
    const impostors: Impostor[] = [];
    const hub = new Peer(socket, { remote: HUB_CALLS, clock: systemClock });
    const options = { paths: home.paths, supervises: false, place };
    const error = await proveHub(hub, socket, options, (impostor) => impostors.push(impostor)).catch(
      (error: unknown) => error,
    );
    return { error, impostors };
  }

  it("is that of a hub that was just killed, if nobody holds its other end", async () => {
    const { error, impostors } = await meetKilled("no heir");
    expect(error).toMatchObject({ code: "ATB_HUB_UNREACHABLE" });
    expect(impostors).toEqual([]);
  });

  it("is an impostor's, if another process holds its other end", async () => {
    const { error, impostors } = await meetKilled("heir");
    expect(error).toMatchObject({ code: "ATB_HUB_IMPOSTOR" });
    expect(impostors).toMatchObject([{ pid: null, problem: "the process that opened it has exited" }]);
  });
});
