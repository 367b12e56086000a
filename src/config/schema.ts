/** The configuration file's schema: every key has a default, is listed in `config.example.yaml`, and has an effect. */
import { homedir } from "node:os";
import * as v from "valibot";
import { DEADLINE_MAX_DAYS, DURATION, toMs, UNIT_MS } from "../model/data/duration.js";
import { isIdentity } from "../model/ids.js";
import type { ConfiguredHost } from "./host-label.js";
import { NUMBER_CASES, PROMPT_CLASSES, type NumberCase, type PromptClass } from "../model/policy-mode.js";
import { describeModes, PERMISSION_MODES } from "../model/permission-mode.js";

/** Years are allowed: retention is checked once a day. */
const KEEP_MAX_DAYS = 3650;

/** `30m`, `5s`, `250ms` → ms. */
export const duration = buildDurationSchema(DEADLINE_MAX_DAYS);

function buildDurationSchema(days: number) {
  return v.pipe(
    v.string("expected a time with its unit (for seconds write 30s)"),
    v.regex(DURATION, "expected a time with its unit, such as 30s, 5m or 250ms"),
    v.transform(toMs),
    v.maxValue(days * UNIT_MS.d, `longer than ${days}d`),
  );
}

export function parseDuration(text: string): number | null {
  const parsed = v.safeParse(duration, text);
  return parsed.success ? parsed.output : null;
}

const identity = v.pipe(
  v.string(),
  v.check(isIdentity, "expected <channel>:<user id>, such as telegram:1001"),
);

const person = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(80)),
  identities: v.array(identity),
  role: v.picklist(["approver", "viewer"]),
});

/** An agent that works in parallel asks up to forty times a minute. Automatic answers count, too. */
const FLOOD_LIMIT = 60;
const FLOOD_LIMIT_MAX = 10_000;

const prompts = v.strictObject({
  expires_after: v.optional(duration, "30m"),
  on_expiry: v.optional(v.picklist(["leave", "safe_default"]), "leave"),
  remind_after: v.optional(v.array(duration), ["5m"]),
  deliver_after: v.optional(duration, "30s"),
  title_mark: v.optional(v.boolean(), true),
  number_for: v.optional(v.array(v.picklist(NUMBER_CASES)), [...NUMBER_CASES]),
  flood_limit: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(FLOOD_LIMIT_MAX)),
    FLOOD_LIMIT,
  ),
  stuck_timeout_seconds: v.optional(v.pipe(v.number(), v.minValue(0.1), v.maxValue(600)), 2),
});

const expandHome = v.transform((path: string) => path.replace(/^~/, homedir()));
const path = v.pipe(
  v.string(),
  v.regex(/^(?:\/|~(?:\/|$))/, "expected an absolute path, or one that begins with ~/"),
  expandHome,
);

const route = v.strictObject({
  classes: v.optional(v.pipe(v.array(v.picklist(PROMPT_CLASSES)), v.minLength(1, "omit it for every class"))),
  tools: v.optional(v.array(v.string())),
  labels: v.optional(v.array(v.string())),
  paths: v.optional(v.array(path)),
  deliver_to: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_-]*:\S+$/, "expected <channel>:<place>"))),
      v.minLength(1, "deliver_to must not be empty; omit it instead"),
    ),
  ),
  approvers: v.optional(v.array(v.string())),
});

const time = v.pipe(
  v.string(),
  v.regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/, 'expected a time such as "22:00"'),
);
const quietHours = v.strictObject({
  from: time,
  to: time,
  urgent: v.optional(v.array(v.picklist(PROMPT_CLASSES))),
});

/** The machines whose hubs write into the same chats, with the names that messages give them. */
const host = v.strictObject({
  label: v.pipe(v.string(), v.minLength(1), v.maxLength(40)),
  hostname: v.pipe(v.string(), v.minLength(1), v.maxLength(253)),
});

/** Services limit edits like messages: a chat accepts one every few seconds beside prompts. */
const PROGRESS_EVERY_MIN_MS = 5_000;

/** Messages to people about a tool without prompts, and whether they may give it tasks. */
const conversation = v.strictObject({
  idle_message: v.optional(v.boolean(), true),
  ask_hint: v.optional(v.boolean(), true),
  while_working: v.optional(v.picklist(["queue", "refuse"]), "queue"),
  progress_every: v.optional(
    v.pipe(
      duration,
      v.check((ms) => ms === 0 || ms >= PROGRESS_EVERY_MIN_MS, "expected 0s for none, or 5s and more"),
    ),
    "0s",
  ),
});

const program = v.pipe(
  v.string(),
  v.regex(
    /^(?:~?\/\S+|[^\s/~-][^\s/]*)$/,
    "expected a name such as python3, an absolute path, or one that begins with ~/; without spaces",
  ),
  expandHome,
);

/** Programs that agents may start over MCP, and where. */
const agentStart = v.strictObject({
  programs: v.pipe(v.array(program), v.minLength(1, "expected at least one program")),
  paths: v.pipe(v.array(path), v.minLength(1, "expected at least one folder (for every folder write [/])")),
  ask: v.optional(v.boolean(), true),
});

const variable = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "expected the name of a variable such as GITHUB_TOKEN"),
);

/** Which environment variables tools receive; read by `tool-environment.ts` before anything else is. */
const environment = v.strictObject({
  keep_in_tools: v.optional(v.array(variable), []),
});

const ledger = v.strictObject({
  keep_for: v.optional(buildDurationSchema(KEEP_MAX_DAYS), "90d"),
  disk_limit_mb: v.optional(v.pipe(v.number(), v.integer(), v.minValue(64), v.maxValue(1_000_000)), 4096),
});

const capture = v.strictObject({
  disagreements: v.optional(v.boolean(), false),
});

/** Far more turns than anybody waits for. */
const turns = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000));

const exec = v.strictObject({
  tool: v.optional(v.nullable(v.pipe(v.string(), v.minLength(1))), null),
  timeout: v.optional(duration, "30m"),
  turns_per_hour: v.optional(turns, 100),
  stop_after: v.optional(
    v.strictObject({
      no_progress: v.optional(turns, 3),
      same_error: v.optional(turns, 3),
      denials: v.optional(turns, 3),
    }),
    {},
  ),
});

/** How ACP agents are started, and which calls are allowed without asking. */
const acp = v.strictObject({
  enabled: v.optional(v.boolean(), true),
  agent_command: v.optional(v.nullable(v.pipe(v.string(), v.minLength(1))), null),
  agent_args: v.optional(v.array(v.string()), []),
  timeout: v.optional(duration, "5m"),
  permission_mode: v.optional(
    v.picklist(PERMISSION_MODES, ({ input }) => describeModes(input)),
    "ask",
  ),
  permission_allowlist: v.optional(v.array(v.string()), []),
});

/** A key whose signature on a bundle of adapters is trusted (ADR 37). */
const trustedKey = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_-]{0,39}$/, "expected a name such as acme")),
  key: v.pipe(
    v.string(),
    v.regex(/^ed25519:[A-Za-z0-9+/]{43}=$/, "expected a key as `adapter keygen` prints it: ed25519:…"),
  ),
});

/** How `watch` notifies the person at this machine of a new prompt. */
const NOTIFY_WAYS = ["bell", "osc9", "notify-send"] as const;
export type NotifyWay = (typeof NOTIFY_WAYS)[number];

/** The schema with the configured channels' own schemas inserted. */
export function buildConfigSchema<C extends Readonly<Record<string, v.GenericSchema>>>(channels: C) {
  const optional = Object.fromEntries(
    Object.entries(channels).map(([id, schema]) => [id, v.optional(schema)]),
  );
  return v.strictObject({
    people: v.optional(v.array(person), []),
    channels: v.optional(v.strictObject(optional), {}),
    prompts: v.optional(prompts, {}),
    routes: v.optional(v.array(route), []),
    hosts: v.optional(v.array(host), []),
    quiet_hours: v.optional(v.nullable(quietHours), null),
    notify: v.optional(v.array(v.picklist(NOTIFY_WAYS)), []),
    conversation: v.optional(conversation, {}),
    agents: v.optional(v.strictObject({ may_start: v.optional(v.array(agentStart), []) }), {}),
    environment: v.optional(environment, {}),
    ledger: v.optional(ledger, {}),
    capture: v.optional(capture, {}),
    adapters: v.optional(
      v.strictObject({ acp: v.optional(acp, {}), trusted_keys: v.optional(v.array(trustedKey), []) }),
      {},
    ),
    exec: v.optional(exec, {}),
  });
}

export interface TrustedKeyEntry {
  readonly name: string;
  readonly key: string;
}

export interface Person {
  readonly name: string;
  readonly identities: readonly string[];
  readonly role: "approver" | "viewer";
}

export type AllowedStart = Readonly<v.InferOutput<typeof agentStart>>;

export interface Config {
  readonly people: readonly Person[];
  /** Each channel's part, as its own schema accepted it. */
  readonly channels: Readonly<Record<string, unknown>>;
  readonly prompts: Readonly<Omit<v.InferOutput<typeof prompts>, "remind_after" | "number_for">> & {
    readonly remind_after: readonly number[];
    readonly number_for: readonly NumberCase[];
  };
  readonly conversation: Readonly<v.InferOutput<typeof conversation>>;
  readonly agents: { readonly may_start: readonly AllowedStart[] };
  readonly environment: { readonly keep_in_tools: readonly string[] };
  readonly ledger: Readonly<v.InferOutput<typeof ledger>>;
  readonly capture: Readonly<v.InferOutput<typeof capture>>;
  readonly adapters: {
    readonly acp: Readonly<v.InferOutput<typeof acp>>;
    readonly trusted_keys: readonly TrustedKeyEntry[];
  };
  readonly exec: Readonly<v.InferOutput<typeof exec>>;
  readonly routes: readonly Readonly<{
    classes?: readonly PromptClass[] | undefined;
    tools?: readonly string[] | undefined;
    labels?: readonly string[] | undefined;
    paths?: readonly string[] | undefined;
    deliver_to?: readonly string[] | undefined;
    approvers?: readonly string[] | undefined;
  }>[];
  readonly hosts: readonly ConfiguredHost[];
  readonly notify: readonly NotifyWay[];
  readonly quiet_hours: {
    readonly from: string;
    readonly to: string;
    readonly urgent?: readonly PromptClass[] | undefined;
  } | null;
}
