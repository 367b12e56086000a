/** The real claude behind a proxy: its hook calls would go there, with all that is in them. A command of ours brings them instead. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { installClaude } from "../support/real-cli/claude.js";
import { HOOKED, withHookedClaude } from "../support/rig/claude-hooked.js";

const installed = await installClaude();
const modules = installed.ok ? installed.modules : "";
const [bash] = HOOKED;

/** Passes every request on, and remembers where to. */
async function startProxy() {
  const paths: string[] = [];
  const server = createServer((incoming, response) => {
    paths.push(new URL(incoming.url ?? "").pathname);
    const { method = "GET", headers } = incoming;
    const onward = request(incoming.url ?? "", { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, paths, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe.skipIf(!installed.ok)("the real claude behind a proxy", () => {
  it("asks by its hook all the same, and the proxy never sees it", async () => {
    const proxy = await startProxy();
    try {
      await withHookedClaude(modules, async (open, rig) => {
        if (!bash) throw new Error("no dialog");
        const session = await open(bash, { claude: { env: { HTTP_PROXY: proxy.url } } });
        const card = await session.run.card();
        expect(card.text).toContain("Run this command?");
        await card.press(1);
        expect(await card.settled()).toMatch(/^✅ .*, by Ara, confirmed$/);
        await session.finished();
        expect(session.timesRun).toBe(1);
        expect(await rig.prompts()).toHaveLength(1);
      });
      expect(proxy.paths.length).toBeGreaterThan(0);
      expect(proxy.paths.filter((path) => path === "/")).toEqual([]);
    } finally {
      proxy.server.closeAllConnections();
      proxy.server.close();
    }
  });
});
