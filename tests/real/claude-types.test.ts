/**
 * claude's lines of JSON have no published schema. What we say in the kept exchanges (which are played back to the whole runtime) is held
 * to the types of its own SDK instead.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, vi } from "vitest";
import { claudeAgentAcp } from "../support/real-cli/protocol-agents.js";

vi.setConfig({ testTimeout: 240_000 });

const EXCHANGES = "tests/fixtures/exchanges/claude-exec";

interface Message {
  readonly type: string;
  readonly request_id?: string;
  readonly request?: { readonly subtype: string };
  readonly response?: { readonly request_id: string; readonly subtype: string; readonly response?: unknown };
}

interface Passed {
  readonly by?: "us" | "agent";
  readonly message: Message;
}

const TYPES: Readonly<Record<string, string>> = {
  control_request: "SDKControlRequest",
  control_response: "SDKControlResponse",
  user: "SDKUserMessage",
};

/** The messages of ours in one exchange, each as a constant of its type; an answer to a question is a `PermissionResult` besides. */
function typed(file: string): string[] {
  const passed = readFileSync(join(EXCHANGES, file), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Passed);
  const asked = new Set(
    passed.flatMap(({ by, message }) =>
      by === "agent" && message.request?.subtype === "can_use_tool" ? [message.request_id] : [],
    ),
  );
  return passed.flatMap(({ by, message }) => {
    if (by !== "us") return [];
    const { response, type } = message;
    const isAnswer = response?.subtype === "success" && asked.has(response.request_id);
    return [
      `(${JSON.stringify(message)}) satisfies ${TYPES[type] ?? "never"};`,
      ...(isAnswer ? [`(${JSON.stringify(response.response)}) satisfies PermissionResult;`] : []),
    ];
  });
}

it("what we say to claude is what the types of its SDK say", async () => {
  const installed = await claudeAgentAcp.install();
  if (!installed.ok) throw new Error(installed.reason);
  const folder = mkdtempSync(join(tmpdir(), "claude-types-"));
  try {
    symlinkSync(installed.modules, join(folder, "node_modules"));
    const said = readdirSync(EXCHANGES).flatMap(typed);
    const names = [...Object.values(TYPES), "PermissionResult"].join(", ");
    const lines = [`import type { ${names} } from "@anthropic-ai/claude-agent-sdk";`, ...said];
    writeFileSync(join(folder, "said.ts"), lines.join("\n"));
    const flags = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck"];
    const way = ["--module", "nodenext", "--target", "es2022", "said.ts"];
    const compiler = resolve("node_modules/typescript/bin/tsc");
    let problems = "";
    try {
      execFileSync(process.execPath, [compiler, ...flags, ...way], { cwd: folder });
    } catch (error) {
      problems = String((error as { readonly stdout?: Buffer }).stdout);
    }
    expect(said.length).toBeGreaterThan(20);
    expect(problems).toBe("");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
