/** Forwards a hook call to the run it belongs to, for tools that run a command instead of calling a URL. */
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";

interface Address {
  readonly port: number;
  readonly secret: string;
}

/**
 * The run's decision as the tool reads it from our output: JSON, or nothing. It waits as long as a person takes; the tool kills
 * this process if it waits no longer. Any failure means no decision, so that the tool's own dialog decides. Never rejects.
 */
export async function postHook(addressFile: string, body: Uint8Array): Promise<string> {
  try {
    const { port, secret } = JSON.parse(readFileSync(addressFile, "utf8")) as Address;
    return await post(port, secret, body);
  } catch {
    return "";
  }
}

function post(port: number, secret: string, body: Uint8Array): Promise<string> {
  const headers = { authorization: `Bearer ${secret}`, "content-length": body.length };
  // Uses its own agent: the environment may configure Node's to use a proxy, which could read and answer this.
  const agent = new Agent();
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, method: "POST", headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve(response.statusCode === 200 ? Buffer.concat(chunks).toString("utf8") : ""),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
