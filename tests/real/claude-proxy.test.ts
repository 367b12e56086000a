/** The real claude behind a proxy: its hook calls would go there, with all that is in them. A command of ours brings them instead. */
import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { installClaude, type ClaudeOptions } from "../support/real-cli/claude.js";
import { HOOKED, withHookedClaude } from "../support/rig/claude-hooked.js";

const installed = await installClaude();
const modules = installed.ok ? installed.modules : "";
const [bash] = HOOKED;

/** Passes everything on, and remembers what it was asked for. */
async function startProxy() {
  const asked: string[] = [];
  const server = createServer((incoming, response) => {
    const { method = "GET", headers } = incoming;
    asked.push(`${method} ${new URL(incoming.url ?? "").pathname}`);
    const onward = request(incoming.url ?? "", { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    incoming.pipe(onward);
  });
  server.on("connect", ({ url = "" }: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${url}`);
    const [host = "", port = ""] = url.split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe.skipIf(!installed.ok)("the real claude behind a proxy", () => {
  it.each<[name: string, claude: (url: string) => Partial<ClaudeOptions>]>([
    ["its environment", (url) => ({ env: { HTTP_PROXY: url } })],
    ["its user's settings", (url) => ({ settings: { env: { HTTP_PROXY: url } } })],
    ["settings for this run", (url) => ({ args: ["--settings", `{"env":{"HTTP_PROXY":"${url}"}}`] })],
  ])("of %s asks by its hook all the same, and the proxy never sees it", async (_, claude) => {
    const proxy = await startProxy();
    try {
      await withHookedClaude(modules, async (open, rig) => {
        if (!bash) throw new Error("no dialog");
        const session = await open(bash, { claude: claude(proxy.url) });
        const card = await session.run.card();
        expect(card.text).toContain("Run this command?");
        await card.press(1);
        expect(await card.settled()).toMatch(/^✅ .*, by Ara, (?:confirmed|taken by claude)$/);
        await session.finished();
        expect(session.timesRun).toBe(1);
        expect(await rig.prompts()).toHaveLength(1);
      });
      expect(proxy.asked).toContain("POST /v1/messages");
      // It would be asked to lead hook calls to our port.
      expect(proxy.asked.filter((what) => /^POST \/$|^CONNECT 127\./.test(what))).toEqual([]);
    } finally {
      proxy.server.closeAllConnections();
      proxy.server.close();
    }
  });
});
