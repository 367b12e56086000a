/** The audit that is exported: rows as they are stored, checked by the program of the how-to page, and spans that name them. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatCanonicalJson } from "../../src/hub/audit/canonical.js";
import { EXIT } from "../../src/model/errors.js";
import { FakeWorker } from "../support/fake-worker.js";
import { eventually, HubHome } from "../support/hub-home.js";
import { commandPrompt } from "../support/policy/policies.js";

const PAGE = readFileSync("docs/how-to/export-the-audit.md", "utf8");
const CHECK = /```python\n([^]*?)```/.exec(PAGE)?.[1] ?? "";

interface Row {
  readonly position: number;
  readonly step: string;
  readonly hash: string;
}

describe("audit export", () => {
  const home = new HubHome();
  const folder = mkdtempSync(join(tmpdir(), "atb-export-"));
  const at = (name: string): string => join(folder, name);
  let rows: Row[] = [];

  beforeAll(async () => {
    writeFileSync(at("check.py"), CHECK);
    expect((await home.run("hub", "start")).code).toBe(0);
    const worker = new FakeWorker(home.paths, { label: "api" });
    await eventually(() => worker.link.state === "connected");
    const { content, safetyClass, choices, constraints } = commandPrompt("make");
    const shortId = await worker.raise({ content, safetyClass, choices, constraints });
    expect((await home.run("answer", shortId, "1", "--wait")).code).toBe(0);
    const done = await home.run("audit", "export", "--file", at("audit.jsonl"));
    expect(done.code).toBe(0);
    const lines = readFileSync(at("audit.jsonl"), "utf8").trimEnd().split("\n");
    worker.close();
    rows = lines.slice(0, -1).map((line) => JSON.parse(line) as Row);
  });

  afterAll(async () => {
    await home.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const check = (...args: string[]): string => {
    const { stdout, stderr } = spawnSync("python3", [at("check.py"), ...args], { encoding: "utf8" });
    return (stdout + stderr).trim();
  };
  const key = (): string => join(home.paths.dataDir, "audit.key");

  it("is found intact by the program of the page, with the key and without", () => {
    expect(rows.length).toBeGreaterThan(5);
    const intact = `rows 1 to ${rows.length} are intact; note elsewhere: ${rows.length}:${rows.at(-1)?.hash ?? ""}`;
    expect(check(at("audit.jsonl"))).toBe(intact);
    expect(check(at("audit.jsonl"), key())).toBe(intact);
  });

  it.each([
    [
      "a changed row",
      (lines: string[]) => lines.with(2, lines[2]!.replace('"step":"', '"step":"x')),
      "row 3 was changed",
    ],
    [
      "a name that stands twice in a row",
      (lines: string[]) => lines.with(2, lines[2]!.replace('"step":"', '"step":"forged","step":"')),
      "not written as it was exported",
    ],
    [
      "a name that stands twice in the seal",
      (lines: string[]) => lines.with(-1, lines.at(-1)!.replace('"count":', '"count":1,"count":')),
      "not written as it was exported",
    ],
    ["a missing row", (lines: string[]) => lines.toSpliced(2, 1), "row 4 does not follow"],
    [
      "two rows that changed places",
      (lines: string[]) => lines.with(1, lines[2]!).with(2, lines[1]!),
      "row 3 does not follow",
    ],
    ["an end that was cut off", (lines: string[]) => lines.toSpliced(-2, 1), "the end is missing"],
    ["no seal", (lines: string[]) => lines.slice(0, -1), "the end is missing"],
    [
      "a row in the middle that holds the seal, too",
      (lines: string[]) => {
        const { seal } = JSON.parse(lines.at(-1)!) as { seal: Record<string, unknown> };
        const forged = { position: 999, seal, step: "injected" };
        return lines.toSpliced(2, 0, formatCanonicalJson(forged));
      },
      "line 3 is neither a row nor a seal",
    ],
    [
      "a seal with a row behind it",
      (lines: string[]) => [lines.at(-1)!, ...lines.slice(0, -1)],
      "line 2 stands behind the seal",
    ],
    ["a second seal", (lines: string[]) => [...lines, lines.at(-1)!], "stands behind the seal"],
    [
      "a seal with another field",
      (lines: string[]) => lines.with(-1, lines.at(-1)!.replace('"at":', '"a":1,"at":')),
      "is neither a row nor a seal",
    ],
    ["an empty line", (lines: string[]) => lines.toSpliced(2, 0, ""), "line 3 is not written as it was"],
    [
      "a mark of the byte order",
      (lines: string[]) => lines.with(0, `\ufeff${lines[0]!}`),
      "line 1 is not written as it was",
    ],
    ["a bare number", (lines: string[]) => lines.toSpliced(1, 0, "5"), "line 2 is not written as it was"],
    ["an empty object", (lines: string[]) => lines.toSpliced(1, 0, "{}"), "line 2 is neither a row nor a"],
    [
      "that --since selected nothing",
      (lines: string[]) => lines.slice(-1),
      "there are no rows to check; the",
    ],
  ] as [string, (lines: string[]) => string[], string][])("shows %s", (_, change, told) => {
    const lines = readFileSync(at("audit.jsonl"), "utf8").trimEnd().split("\n");
    writeFileSync(at("bad.jsonl"), `${change(lines).join("\n")}\n`);
    for (const more of [[], [key()]]) {
      const found = check(at("bad.jsonl"), ...more);
      expect(found).toContain(told);
      expect(found).not.toContain("Traceback");
    }
  });

  it("shows a seal of another key", () => {
    writeFileSync(at("other.key"), `${"0".repeat(64)}\n`);
    expect(check(at("audit.jsonl"), at("other.key"))).toBe("the seal was not made with this key");
  });

  it("has the same rows as CSV", async () => {
    const { stdout } = await home.run("audit", "export", "--format", "csv");
    const script = "import csv,json,sys; print(json.dumps(list(csv.DictReader(sys.stdin))))";
    const read = JSON.parse(execFileSync("python3", ["-c", script], { input: stdout, encoding: "utf8" })) as {
      hash: string;
      details: string;
    }[];
    expect(read.slice(0, rows.length).map(({ hash }) => hash)).toEqual(rows.map(({ hash }) => hash));
    for (const { details } of read) JSON.parse(details);
  });

  it("as spans names a session, its prompt, what became of it, and the rows behind it", async () => {
    expect((await home.run("audit", "export", "--format", "otlp", "--file", at("spans.json"))).code).toBe(0);
    const [trace] = readFileSync(at("spans.json"), "utf8").trimEnd().split("\n");
    interface Span {
      readonly name: string;
      readonly traceId: string;
      readonly spanId: string;
      readonly parentSpanId?: string;
      readonly startTimeUnixNano: string;
      readonly endTimeUnixNano: string;
      readonly attributes: { key: string; value: { stringValue?: string } }[];
      readonly events: { name: string; attributes: { key: string; value: { stringValue?: string } }[] }[];
      readonly status: { code: number };
    }
    const { resourceSpans } = JSON.parse(trace ?? "") as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
    };
    const spans = resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    const [session, prompt] = spans;
    expect(session?.name).toMatch(/^invoke_agent /);
    expect(prompt).toMatchObject({
      name: "prompt permission",
      parentSpanId: session?.spanId,
      status: { code: 1 },
    });
    expect(prompt?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(prompt?.attributes).toContainEqual({
      key: "atlasbridge.prompt.outcome",
      value: { stringValue: "answered" },
    });
    expect(BigInt(prompt?.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(
      BigInt(prompt?.startTimeUnixNano ?? 1),
    );
    const hashes = spans.flatMap(({ events }) =>
      events.flatMap(
        ({ attributes }) => attributes.find(({ key: name }) => name.endsWith("hash"))?.value.stringValue,
      ),
    );
    expect(rows.map(({ hash }) => hash)).toEqual(expect.arrayContaining(hashes.slice(0, 3)));
  });

  interface Received {
    readonly path: string | undefined;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }

  /** A collector that answers like this. */
  async function withCollector(
    answer: { readonly status: number; readonly body: string },
    work: (address: string, received: readonly Received[]) => Promise<void>,
  ): Promise<void> {
    const received: Received[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => (body += text));
      request.on("end", () => {
        received.push({ path: request.url, headers: request.headers, body });
        response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, received);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it("is sent as spans to the endpoint that is named, with its headers, and the same each time", () =>
    withCollector({ status: 200, body: "{}" }, async (address, received) => {
      Object.assign(home.env, { OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20t1, x-team=a" });
      const { code, stdout } = await home.run("audit", "export", "--endpoint", address);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringMatching(new RegExp(`^\\d+ rows sent to ${address}/v1/traces\n$`)) as string,
      });
      expect(received).toHaveLength(1);
      expect(received[0]).toMatchObject({
        path: "/v1/traces",
        headers: { "content-type": "application/json", authorization: "Bearer t1", "x-team": "a" },
      });
      const { stdout: spans } = await home.run("audit", "export", "--format", "otlp");
      expect(`${received[0]?.body ?? ""}\n`).toBe(spans);
      expect(spans).toContain('"gen_ai.operation.name"');
      await home.run("audit", "export", "--endpoint", `${address}/custom`);
      expect(received[1]).toEqual({ ...received[0], path: "/custom" });
    }));

  it.each([
    ["endpoint answered 503", { status: 503, body: "busy" }],
    ["service answers with a redirect, which is not followed", { status: 307, body: "" }],
    ["endpoint rejected 2 spans", { status: 200, body: '{"partialSuccess":{"rejectedSpans":"2"}}' }],
  ])("is an error where the %s", (words, answer) =>
    withCollector(answer, async (address) => {
      expect(await home.run("audit", "export", "--endpoint", address)).toMatchObject({
        code: EXIT.network,
        stderr: expect.stringContaining(`the ${words}; 0 of 1 sessions were accepted`) as string,
      });
    }),
  );

  it("is sent nowhere where the endpoint is no address, or nobody is there", async () => {
    for (const address of ["localhost:4318", "http://me:secret@localhost:4318", "ftp://localhost"]) {
      const { code, stderr } = await home.run("audit", "export", "--endpoint", address);
      expect({ address, code }).toEqual({ address, code: EXIT.error });
      expect(stderr).not.toContain("secret");
    }
    const nobody = await home.run("audit", "export", "--endpoint", "http://127.0.0.1:1");
    expect(nobody).toMatchObject({
      code: EXIT.network,
      stderr: expect.stringContaining("the server refuses connections") as string,
    });
  });

  it("begins with --since in the middle, and takes no file that is there", async () => {
    const { stdout } = await home.run("audit", "export", "--since", "1h");
    expect(stdout.split("\n").length).toBeGreaterThan(rows.length);
    expect((await home.run("audit", "export", "--since", "1ms")).stdout.split("\n").length).toBeLessThan(5);
    expect(await home.run("audit", "export", "--file", at("audit.jsonl"))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("already exists; it was not changed") as string,
    });
    expect((await home.run("audit", "export", "--since", "soon")).stderr).toContain("--since soon");
    await eventually(async () => (await home.run("audit", "verify")).code === 0);
  });
});
