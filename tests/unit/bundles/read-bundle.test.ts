/** A bundle is downloaded over HTTPS, or from this machine, in bounded time and size, and no redirect is followed. */
import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { BUNDLE_BYTES_MAX } from "../../../src/bundles/bundle-file.js";
import { readBundleText } from "../../../src/bundles/read-bundle.js";
import { RawServer, wholeAnswer } from "../../support/http/raw-server.js";

const servers: RawServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function serve(answer: (socket: Socket) => void): Promise<string> {
  const server = await RawServer.start(answer);
  servers.push(server);
  return server.url.href;
}

describe("the address of a bundle", () => {
  it("is read with a GET", async () => {
    const url = await serve((socket) => socket.write(wholeAnswer('{"a":1}')));
    expect(await readBundleText(url)).toBe('{"a":1}');
    expect(servers[0]?.received).toMatch(/^GET \/call HTTP\/1\.1\r\n/);
  });

  it.each([
    ["http://example.com/bundle.json", "http://example.com is not used for a bundle"],
    ["ftp://example.com/bundle.json", "ftp://example.com is not used"],
    ["file:///etc/passwd", "is not used for a bundle"],
    ["https://user:secret@example.com/b", "contains a name or a password"],
    ["https://", "not a valid address"],
    ["http://127.0.0.1.example.com/b", "is not used for a bundle"],
  ])("%s is refused", async (from, reason) => {
    await expect(readBundleText(from)).rejects.toMatchObject({
      code: "ATB_USAGE",
      message: expect.stringContaining(reason) as string,
    });
  });

  it.each([
    ["a redirect", "HTTP/1.1 302 Found\r\nlocation: https://elsewhere.example/\r\n\r\n", "a redirect"],
    ["an error", "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n", "answered 404"],
    ["too much", `HTTP/1.1 200 OK\r\ncontent-length: ${BUNDLE_BYTES_MAX + 1}\r\n\r\n`, "longer than"],
    ["a compressed answer", "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n", "compressed"],
    ["no HTTP", "hello\r\n\r\n", "HPE_"],
  ])("is not read when the server sends %s", async (_, answer, reason) => {
    const url = await serve((socket) => socket.write(answer));
    await expect(readBundleText(url)).rejects.toMatchObject({
      code: "ATB_BUNDLE_UNREACHABLE",
      message: expect.stringContaining(reason) as string,
    });
  });

  it("is not waited for when the answer stops in the middle", async () => {
    const url = await serve((socket) => socket.write(wholeAnswer('{"a":1}').subarray(0, -1)));
    await expect(readBundleText(url)).rejects.toThrow("stopped in the middle");
  });

  it("is not reached", async () => {
    const url = await serve(() => undefined);
    await servers.splice(0)[0]?.stop();
    await expect(readBundleText(url)).rejects.toThrow("the server refuses connections");
  });
});
