// A child of a tool that asks: it writes to the ledger as the context says, once there is one. forge.mjs CONTEXT
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const [contextFile] = process.argv.slice(2);
const PERSON = "telegram:1001";

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

async function forge({ main, database, name, hubToKill }) {
  const Database = createRequire(main)("better-sqlite3");
  const ledger = new Database(database, { timeout: 60_000 });
  ledger.pragma("foreign_keys = OFF");
  const facts = await findFacts(ledger);
  ledger.exec("BEGIN IMMEDIATE");
  ATTACKS[name](ledger, facts);
  // Nobody else can write in between: the next hub finds what is committed here.
  if (hubToKill !== null) process.kill(hubToKill, "SIGKILL");
  ledger.exec("COMMIT");
}

async function readContext() {
  for (;;) {
    const text = existsSync(contextFile) ? readFileSync(contextFile, "utf8") : "";
    if (text.endsWith("}")) return JSON.parse(text);
    await pause();
  }
}

/** Both questions, once their cards are posted. */
async function findFacts(ledger) {
  for (;;) {
    const rows = ledger
      .prepare(
        `SELECT prompts.*, deliveries.delivery_id, label, channel, place FROM prompts JOIN sessions USING (session_id)
         JOIN deliveries USING (prompt_id) WHERE prompts.state = 'pending' AND deliveries.state = 'posted' AND channel = 'telegram'`,
      )
      .all();
    const own = rows.find(({ label }) => label === "attacker");
    const other = rows.find(({ label }) => label === "harmless");
    if (own && other) return { own, other };
    await pause();
  }
}

function insertReply(ledger, { own }) {
  const [replyId, nonce] = [randomUUID(), "forged"];
  const nonceHash = createHash("sha256").update(nonce).digest("hex");
  ledger
    .prepare(
      `INSERT INTO replies (reply_id, prompt_id, session_id, value, nonce, identity, person, newline_policy, state, received_at)
       VALUES (?, ?, ?, 'y', ?, ?, 'Ara', 'append', 'waiting', ?)`,
    )
    .run(replyId, own.prompt_id, own.session_id, nonce, PERSON, Date.now());
  ledger
    .prepare(
      "UPDATE prompts SET state = 'answering', nonce = NULL, nonce_hash = ?, reply_id = ?, answered_by = 'Ara' WHERE prompt_id = ?",
    )
    .run(nonceHash, replyId, own.prompt_id);
  return replyId;
}

/** A step with the hash that it must have. */
function insertStep(ledger, { own }, details, step = "prompt_claimed") {
  const last = ledger.prepare("SELECT * FROM audit ORDER BY position DESC LIMIT 1").get();
  const row = {
    at: Date.now(),
    details: JSON.stringify(details),
    identity: PERSON,
    position: last.position + 1,
  };
  const covered = { ...row, previous: last.hash, promptId: own.prompt_id, sessionId: own.session_id };
  const hash = createHash("sha256")
    .update(JSON.stringify({ ...covered, step }))
    .digest("hex");
  ledger
    .prepare(
      `INSERT INTO audit (position, at, step, session_id, prompt_id, identity, details, previous, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(row.position, row.at, step, own.session_id, own.prompt_id, PERSON, row.details, last.hash, hash);
}

const ATTACKS = {
  "puts an answer into the table": insertReply,
  "puts an answer and its step into the tables": (ledger, facts) => {
    const replyId = insertReply(ledger, facts);
    insertStep(ledger, facts, { by: "Ara", contentHash: facts.own.content_hash, replyId, value: "y" });
  },
  "has every answer changed as it is given": (ledger) =>
    ledger.exec(
      "CREATE TRIGGER theirs AFTER INSERT ON replies BEGIN UPDATE replies SET value = 'y' WHERE reply_id = NEW.reply_id; END",
    ),
  "binds a card to another question": (ledger, { own, other }) => {
    ledger.prepare("UPDATE deliveries SET text = 'moved' WHERE delivery_id = ?").run(own.delivery_id);
    ledger
      .prepare("UPDATE deliveries SET prompt_id = ?, session_id = ? WHERE delivery_id = ?")
      .run(own.prompt_id, own.session_id, other.delivery_id);
  },
  "gives a question the short id of another": (ledger, { own, other }) => {
    ledger.prepare("UPDATE prompts SET short_id = '-' WHERE prompt_id = ?").run(other.prompt_id);
    ledger.prepare("UPDATE prompts SET short_id = ? WHERE prompt_id = ?").run(other.short_id, own.prompt_id);
  },
  "gives a button another meaning": (ledger, { own }) =>
    ledger
      .prepare("UPDATE tokens SET value = 'y' WHERE value = 'n' AND delivery_id = ?")
      .run(own.delivery_id),
  "lets a stranger's words be those of a person": (ledger) =>
    ledger.exec(
      "CREATE TRIGGER theirs AFTER INSERT ON spool BEGIN UPDATE spool SET raw = replace(raw, '6666', '1001') WHERE spool_id = NEW.spool_id; END",
    ),
  "puts an update of the service into the table": (ledger, { own }) => {
    const text = `answer ${own.short_id} y`;
    const person = { id: 1001, is_bot: false, first_name: "Ara" };
    const message = {
      message_id: 9001,
      date: Math.floor(Date.now() / 1000),
      chat: { id: 1001, type: "private" },
    };
    const update = { update_id: 900_001, message: { ...message, from: person, text } };
    const raw = { receivedAt: Date.now(), update };
    ledger
      .prepare("INSERT INTO spool (channel, key, raw, stored_at) VALUES ('telegram', '900001', ?, ?)")
      .run(JSON.stringify(raw), Date.now());
  },
  "puts the end of a pause on record": (ledger, facts) => insertStep(ledger, facts, {}, "hub_resumed"),
  "takes a pause out of the record": (ledger) =>
    ledger.exec("DROP TRIGGER audit_rows_never_go; DELETE FROM audit WHERE step = 'hub_paused'"),
  "takes a step out of the record": (ledger) =>
    ledger.exec(
      "DROP TRIGGER audit_rows_never_go; DELETE FROM audit WHERE position = (SELECT max(position) FROM audit)",
    ),
  "puts a step on record": (ledger, facts) =>
    insertStep(ledger, facts, { by: "Ara", replyId: randomUUID(), value: "y" }),
};

const context = await readContext();
const outcome = await forge(context).then(
  () => "forged",
  (error) => String(error),
);
writeFileSync(context.log, `${outcome}\n`);
