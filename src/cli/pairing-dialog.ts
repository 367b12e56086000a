/** The terminal side of a pairing: reads the secret without echo, shows the code, and asks whether it was you. */
import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { PairingDialog } from "../client/channels/add-channel.js";
import { sanitizeAddress, createUnconfirmedError } from "../plugins/channels/endpoints.js";
import type { TrustDialog } from "../client/channels/trust-channel.js";
import { AtlasBridgeError } from "../model/errors.js";

export const terminalDialog: PairingDialog & TrustDialog = {
  show(text) {
    process.stdout.write(`${text}\n\n`);
  },
  async askSecret(question) {
    const answer = (await ask(`${question}: `, { hidden: true })).trim();
    if (answer) return answer;
    throw new AtlasBridgeError("ATB_PAIRING_FAILED", "no token was given", {
      hint: "Run the command again and paste the token.",
    });
  },
  showCode(invitation, link) {
    const lines = [invitation, ...(link ? [`or open:  ${link}`] : []), "Waiting …"];
    process.stdout.write(`${lines.join("\n")}\n`);
  },
  async confirmAddress(channel, address) {
    if (!process.stdin.isTTY) throw createUnconfirmedError(channel, address);
    const where = `The configuration sends the token of ${channel} to ${sanitizeAddress(address)}, which is not the service's own address.`;
    process.stdout.write(`${where}\nWhoever runs that server receives the token and can answer as you.\n`);
    return /^y(?:es)?$/i.test((await ask("Is it your server? [y/N] ", { hidden: false })).trim());
  },
  async confirm({ displayName, identity }) {
    const answer = await ask(`Was that you: ${displayName} (${identity})? [y/N] `, { hidden: false });
    return /^y(?:es)?$/i.test(answer.trim()) ? removeHandle(displayName) : null;
  },
};

/** The person's name on cards, without the handle that helped to recognize them. */
function removeHandle(displayName: string): string {
  return displayName.replace(/ \(@[^)]{1,64}\)$/, "");
}

/** readline echoes typed text to its output stream; without one nothing is shown. */
async function ask(question: string, { hidden }: { hidden: boolean }): Promise<string> {
  const terminal = process.stdin.isTTY;
  const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stdout;
  const lines: Interface = createInterface({ input: process.stdin, output, terminal });
  // Prompted only now: with the line editor active, the terminal itself no longer echoes.
  process.stdout.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("close", () =>
        reject(new AtlasBridgeError("ATB_PAIRING_FAILED", "the input ended before an answer")),
      );
      lines.once("SIGINT", () => lines.close());
    });
  } finally {
    lines.close();
    if (hidden && terminal) process.stdout.write("\n");
  }
}
