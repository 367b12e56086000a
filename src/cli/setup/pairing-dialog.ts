import { readFileSync } from "node:fs";
import type { PairingDialog, PairingWish, ShownCode } from "../../client/channels/pair-person.js";
import type { Preparation, SecretDialog } from "../../client/channels/prepare-channel.js";
import type { Person } from "../../config/schema.js";
import type { GroupFacts } from "../../sdk/channel.js";
import { sanitizeAddress, createUnconfirmedError } from "../../plugins/channels/endpoints.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { makeVisible } from "../../safety/display.js";
import { drawQrCode } from "./draw-qr.js";
import { wrapLine } from "../wrap.js";
import { ask, askYesNo } from "./ask.js";

export interface PairingFlags {
  /** Files with the secrets, in the order of the questions. */
  readonly tokenFiles: readonly string[];
  /** Pairs only this identity and asks nobody; null: asks at the terminal. */
  readonly accept: string | null;
  /** Null: asks, or with `accept` an approver. */
  readonly role: Person["role"] | null;
  readonly output: NodeJS.WriteStream;
}

const NO_FLAGS: PairingFlags = { tokenFiles: [], accept: null, role: null, output: process.stdout };

const CONFIRM_AT_TERMINAL =
  "If it is your own server, run this command once in a terminal: it asks whether it is, and can be repeated in a script then. Otherwise remove the address from the configuration.";

/** People paste this JSON, so it must not be wrapped. */
const JSON_LINE = /^ *["{}[\]]/;

/** Wraps text, but no drawings and no JSON. */
export function printTo(stream: NodeJS.WriteStream, line: string): void {
  const isText = stream.isTTY && !line.includes("\u001b") && !JSON_LINE.test(line);
  stream.write(`${(isText ? wrapLine(line, stream.columns) : [line]).join("\n")}\n`);
}

/** Checked before anything is sent. Errors: ATB_PAIRING_FAILED. */
export function checkAccepted(channel: string, accept: string | null): void {
  const prefix = `${channel}:`;
  if (accept === null || (accept.startsWith(prefix) && accept.length > prefix.length)) return;
  throw new AtlasBridgeError(
    "ATB_PAIRING_FAILED",
    `--accept ${makeVisible(accept)}: no account of ${channel} is named so`,
    {
      hint: `Accounts there are written ${prefix}ID, with the id that the service gives them.`,
    },
  );
}

export function createPairingDialog(flags: PairingFlags = NO_FLAGS): SecretDialog & PairingDialog {
  const { accept, output } = flags;
  const files = [...flags.tokenFiles];
  const print = (line: string): void => printTo(output, line);
  const printAll = (lines: readonly string[]): void => lines.forEach(print);
  return {
    namedSecrets: files.length,
    showPreparation: (preparation) =>
      files.length > 0 ? undefined : printAll([...describePreparation(preparation, output), ""]),
    askSecret: (question) => readSecret(question, files.shift(), output),
    offerRetry(problem) {
      const isPossible = process.stdin.isTTY && files.length === 0;
      if (isPossible) printAll(["", `✗ ${problem.message}.`, `  ${problem.hint}`, ""]);
      return isPossible;
    },
    showCode: (code) => printAll([...describeCode(code, output), "", "Waiting for the code …"]),
    async confirmAddress(channel, address) {
      // Without a terminal `channel trust` would not help: no token is stored yet, and an address is confirmed only with one.
      if (!process.stdin.isTTY) throw createUnconfirmedError(channel, address, CONFIRM_AT_TERMINAL);
      print(
        `The configuration sends the token of ${channel} to ${sanitizeAddress(address)}, which is not the service's own address.`,
      );
      print("Whoever runs that server receives the token and can answer as you.");
      return askYesNo("Is it your server?", { output });
    },
    async confirm(wish) {
      const { identity, group, mayOnlyLook } = wish;
      const name = removeHandle(wish.displayName);
      if (accept !== null && accept !== identity)
        throw createRefusal(
          `${identity} sent the code, and --accept allows only ${accept}`,
          "Nobody was paired. Begin again: the code cannot be used twice.",
        );
      const listed = wish.listed?.role ?? flags.role;
      if (listed === "viewer" && !mayOnlyLook)
        throw createRefusal("nobody may answer here yet, so nobody can only look", "Pair an approver first.");
      if (accept === null || group !== null) printAll(["", ...describeCodeSender(wish), ""]);
      if (accept !== null) return { name, role: listed ?? "approver", onlyHere: false };
      const role = await askRole(wish, listed, output);
      if (role === null) return null;
      const how = { output, hint: "Name who may pair with --accept." };
      const onlyHere = wish.privateChat !== null && (await askYesNo(ONLY_HERE, how));
      return { name, role, onlyHere };
    },
  };
}

const ONLY_HERE =
  "This account gets every prompt in its private chat, too. Send them only to the new chat from now on?";

/** Null: no. */
async function askRole(
  wish: PairingWish,
  known: Person["role"] | null,
  output: NodeJS.WriteStream,
): Promise<Person["role"] | null> {
  const how = { output, hint: "Name who may pair with --accept." };
  const who = makeVisible(removeHandle(wish.displayName));
  if (known !== null || !wish.mayOnlyLook) {
    const may = known === "viewer" ? "see" : "answer";
    const what = wish.listed
      ? "Send the prompts to this chat?"
      : `Let ${who} ${may} the prompts of every session?`;
    return (await askYesNo(what, how)) ? (known ?? "approver") : null;
  }
  const question = `Let ${who} answer the prompts of every session (y), or only see them (v)? [y/v/N] `;
  const answer = (await ask(question, { ...how, hidden: false })).toLowerCase();
  if (answer === "v" || answer === "viewer") return "viewer";
  return /^y(?:es)?$/.test(answer) ? "approver" : null;
}

function describeCodeSender({ displayName, identity, place, listed, group }: PairingWish): string[] {
  const own = identity.slice(identity.indexOf(":") + 1);
  const where = group !== null ? describeGroup(group) : place === own ? "" : ` in the chat ${place}`;
  return [
    makeVisible(`${displayName} (${identity}) has sent the code${where}.`),
    ...(listed === null ? [] : [makeVisible(`That is ${listed.name}, ${listed.role} already.`)]),
    ...(group === null
      ? []
      : [makeVisible(`Everybody in ${group.title} will see every prompt, with its whole command.`)]),
  ];
}

function describeGroup({ title, members }: GroupFacts): string {
  return ` in the group ${title}${members === null ? "" : ` (${members} members with the bot)`}`;
}

function createRefusal(message: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_PAIRING_FAILED", message, { hint });
}

async function readSecret(
  question: string,
  file: string | undefined,
  output: NodeJS.WriteStream,
): Promise<string> {
  const secret =
    file === undefined
      ? await ask(`Paste the ${question} here (it is not shown): `, {
          output,
          hidden: true,
          hint: "Name a file that holds it with --token-file.",
        })
      : readTokenFile(file);
  if (secret) return secret;
  throw new AtlasBridgeError("ATB_PAIRING_FAILED", "no token was given", {
    hint: "Run the command again and paste the token.",
  });
}

function readTokenFile(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw new AtlasBridgeError("ATB_CONFIG_SECRET_MISSING", `the token file ${file} cannot be read`, {
      hint: "Check the path and its permissions.",
      cause,
    });
  }
}

function describePreparation({ text, link }: Preparation, output: NodeJS.WriteStream): string[] {
  return [...text.split("\n"), ...drawLink(link, output)];
}

function describeCode(
  { invitation, link, groupInvitation }: ShownCode,
  output: NodeJS.WriteStream,
): string[] {
  const drawing = drawLink(link, output);
  const how =
    drawing.length === 0
      ? "Open this link on your phone, and press Start:"
      : "Scan the code below with your phone, or open this link there, and press Start:";
  const opening = link === null ? [] : [how, `  ${link}`, ""];
  // The drawing comes last: a terminal of 24 rows then still shows all of it.
  return [
    ...opening,
    ...invitation.split("\n"),
    ...(groupInvitation === null ? [] : ["", ...groupInvitation.split("\n")]),
    ...(drawing.length === 0 ? [] : ["", ...drawing]),
  ];
}

function drawLink(link: string | null, output: NodeJS.WriteStream): string[] {
  if (link === null || !output.isTTY) return [];
  return drawQrCode(link, output.columns);
}

/** Without the handle, which only helped to recognize the person. */
function removeHandle(displayName: string): string {
  return displayName.replace(/ \(@[^)]{1,64}\)$/, "");
}
