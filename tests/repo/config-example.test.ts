/** config.example.yaml is accepted by the schema, holds exactly its keys with the defaults, and names a test for each key. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isMap, parseDocument, type YAMLMap } from "yaml";
import { buildConfigSchema, type Config } from "../../src/config/schema.js";
import { loadConfig } from "../../src/config/load.js";
import { channelSchemas } from "../../src/plugins/channels/channel-schemas.js";

interface Shape {
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly wrapped?: unknown;
  readonly item?: unknown;
}

/** Every key path of a schema; list items count as the list itself. */
function listKeys(schema: unknown, path = ""): string[] {
  const shape = schema as Shape;
  if (shape.wrapped) return listKeys(shape.wrapped, path);
  if (shape.item) return listKeys(shape.item, path);
  return Object.entries(shape.entries ?? {}).flatMap(([key, value]) => {
    const at = path ? `${path}.${key}` : key;
    return [at, ...listKeys(value, at)];
  });
}

function keysIn(map: YAMLMap, path = ""): string[] {
  return map.items.flatMap((pair) => {
    const at = path ? `${path}.${String(pair.key)}` : String(pair.key);
    const inner = isMap(pair.value)
      ? [pair.value]
      : ((pair.value as { items?: unknown[] } | null)?.items ?? []).filter(isMap);
    return [at, ...inner.flatMap((item) => keysIn(item, at))];
  });
}

/** A test of what each key changes: its file, and words of its title or of its row in a table. */
const PROVED: Readonly<Record<string, readonly [file: string, words: string]>> = {
  "people.name": ["tests/e2e/slack.test.ts", "tells the other by whom"],
  "people.identities": ["tests/unit/hub/prompts/claim.test.ts", "never by a stranger"],
  "people.role": ["tests/unit/hub/prompts/claim.test.ts", "or a viewer"],
  "channels.telegram.token": ["tests/e2e/doctor.test.ts", "asks the service itself"],
  "channels.telegram.api_root": ["tests/e2e/doctor.test.ts", "asks the running hub about itself"],
  "channels.telegram.deliver_to": [
    "tests/unit/channels/telegram/config.test.ts",
    "in the chats of deliver_to",
  ],
  "channels.slack.app_token": [
    "tests/unit/channels/slack/socket-mode/refused.test.ts",
    "names the scope that the app-level token lacks",
  ],
  "channels.slack.bot_token": [
    "tests/unit/channels/slack/socket-mode/refused.test.ts",
    "names the scopes that the bot lacks",
  ],
  "channels.slack.api_url": ["tests/unit/channels/slack/socket-mode/standing.test.ts", "asks who it is"],
  "channels.slack.deliver_to": [
    "tests/unit/channels/slack/config.test.ts",
    "in the conversations of deliver_to",
  ],
  "prompts.expires_after": [
    "tests/unit/hub/prompts/expiry.test.ts",
    "never comes when the configuration says 0",
  ],
  "prompts.on_expiry": ["tests/unit/hub/prompts/expiry.test.ts", "with on_expiry: safe_default"],
  "prompts.remind_after": ["tests/unit/hub/prompts/expiry.test.ts", "is sent for each configured time"],
  "prompts.deliver_after": [
    "tests/unit/hub/people/presence.test.ts",
    "prompts.deliver_after holds a card back",
  ],
  "prompts.number_for": [
    "tests/unit/hub/prompts/approval/by-default.test.ts",
    "in a case that prompts.number_for does not name",
  ],
  "prompts.flood_limit": [
    "tests/unit/hub/prompts/flood/flood-guard.test.ts",
    "are counted within a minute only, and a limit of 0 counts none",
  ],
  "prompts.title_mark": ["tests/e2e/unreached.test.ts", "prompts.title_mark: false"],
  "prompts.stuck_timeout_seconds": [
    "tests/unit/worker/detection/live/live-detector.test.ts",
    "the stuck timeout of the configuration",
  ],
  "routes.tools": ["tests/unit/hub/people/routing.test.ts", "another tool"],
  "routes.classes": ["tests/unit/hub/people/routing.test.ts", "send a prompt of a class elsewhere"],
  "routes.labels": ["tests/unit/hub/people/routing.test.ts", "a label that it does not have"],
  "routes.paths": ["tests/unit/hub/people/routing.test.ts", "the folder above"],
  "routes.deliver_to": ["tests/unit/hub/people/routing.test.ts", "the first that fits"],
  "routes.approvers": ["tests/unit/hub/people/routing.test.ts", "say who may answer"],
  "hosts.label": ["tests/unit/hub/delivery/host-label.test.ts", "by the label of the configuration"],
  "hosts.hostname": ["tests/unit/hub/delivery/host-label.test.ts", "by its host name"],
  "quiet_hours.from": ["tests/unit/hub/people/quiet-hours.test.ts", "from their first minute on"],
  "quiet_hours.to": ["tests/unit/hub/people/quiet-hours.test.ts", "their last minute"],
  "quiet_hours.urgent": [
    "tests/unit/hub/people/quiet-hours.test.ts",
    "let prompts of urgent classes ring, and remind of them, and no others",
  ],
  notify: ["tests/unit/app/hub/notify.test.ts", "in every way that is configured"],
  "conversation.idle_message": [
    "tests/unit/hub/sessions/conversation.test.ts",
    "conversation.idle_message: false",
  ],
  "conversation.ask_hint": [
    "tests/unit/hub/sessions/conversation.test.ts",
    "says nothing with conversation.ask_hint: false",
  ],
  "conversation.while_working": [
    "tests/unit/hub/sessions/conversation.test.ts",
    "conversation.while_working: refuse",
  ],
  "conversation.progress_every": ["tests/unit/hub/sessions/progress.test.ts", "conversation.progress_every"],
  "exec.tool": ["tests/e2e/exec-endings.test.ts", "a tool that is not named is that of the configuration"],
  "exec.timeout": ["tests/pty/worker/runtimes/exec/exec-adapter.test.ts", "silent for too long"],
  "exec.turns_per_hour": ["tests/unit/exec/task-loop.test.ts", "waits once an hour"],
  "exec.stop_after.no_progress": ["tests/unit/exec/task-loop.test.ts", "nothing was done"],
  "exec.stop_after.same_error": ["tests/unit/exec/task-loop.test.ts", "same error"],
  "exec.stop_after.denials": ["tests/unit/exec/task-loop.test.ts", "something was refused"],
  "adapters.acp.enabled": [
    "tests/unit/worker/integrations/acp/permission/agent-settings.test.ts",
    "turned off",
  ],
  "adapters.acp.agent_command": [
    "tests/unit/worker/integrations/acp/permission/agent-settings.test.ts",
    "the configuration's agent",
  ],
  "adapters.acp.agent_args": [
    "tests/unit/worker/integrations/acp/permission/agent-settings.test.ts",
    "with its arguments",
  ],
  "adapters.acp.timeout": [
    "tests/unit/worker/integrations/acp/permission/agent-settings.test.ts",
    "the configured time",
  ],
  "adapters.acp.permission_mode": [
    "tests/unit/worker/integrations/acp/permission/agent-settings.test.ts",
    "the configured mode",
  ],
  "adapters.acp.permission_allowlist": [
    "tests/unit/worker/integrations/acp/permission/agent-settings.test.ts",
    "the configured patterns",
  ],
  "adapters.trusted_keys.name": ["tests/unit/bundles/update.test.ts", "is installed: its adapter is used"],
  "adapters.trusted_keys.key": ["tests/unit/bundles/update.test.ts", "is installed: its adapter is used"],
  "capture.disagreements": ["tests/e2e/disagreements.test.ts", "is kept where the configuration says so"],
  "environment.keep_in_tools": ["tests/unit/config/tool-environment.test.ts", "what is kept by name"],
  "ledger.keep_for": ["tests/unit/hub/store/retention.test.ts", "before the time that it keeps"],
  "ledger.disk_limit_mb": ["tests/unit/hub/ledger/disk-limit.test.ts", "no new question is taken"],
};

/** Keys with no others below them. */
function leaves(keys: readonly string[]): string[] {
  return keys.filter((key) => !keys.some((other) => other.startsWith(`${key}.`)));
}

/** What tests and their tables' rows are called. */
function titles(file: string): string[] {
  const title = /^ *(?:(?:it|test|describe)(?:\.\w+)*\(|\[)?"([^"\n]+)",/gm;
  return [...readFileSync(file, "utf8").matchAll(title)].map(([, words = ""]) => words);
}

describe("config.example.yaml", () => {
  const text = readFileSync("config.example.yaml", "utf8");
  const env = { TELEGRAM_BOT_TOKEN: "123456:example", SLACK_APP_TOKEN: "xapp-1", SLACK_BOT_TOKEN: "xoxb-1" };
  const load = (file: string): Config =>
    loadConfig({ file, channels: channelSchemas, env, secrets: "resolve" });

  it("is accepted by the schema", () => {
    expect(load("config.example.yaml").people[0]?.name).toBe("Ara");
  });

  it("holds every key that the schema knows, and no other", () => {
    const root = parseDocument(text).contents;
    expect([...new Set(keysIn(root as YAMLMap))].sort()).toEqual(
      listKeys(buildConfigSchema(channelSchemas)).sort(),
    );
  });

  it("names for every key a test of what it changes", () => {
    expect(Object.keys(PROVED).sort()).toEqual(leaves(listKeys(buildConfigSchema(channelSchemas))).sort());
    const unproved = Object.entries(PROVED).filter(
      ([, [file, words]]) => !titles(file).some((title) => title.includes(words)),
    );
    expect(unproved).toEqual([]);
  });

  it("shows the defaults of the prompts section", () => {
    expect(load("config.example.yaml").prompts).toEqual(load("no-such-file.yaml").prompts);
  });

  it("comes out frozen", () => {
    expect(Object.isFrozen(load("config.example.yaml").prompts.remind_after)).toBe(true);
  });
});
