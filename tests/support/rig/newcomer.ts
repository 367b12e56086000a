/** A newcomer with a built clone, an empty home and a phone: sets AtlasBridge up in a shell, and answers the first prompt. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { HubHome, MAIN } from "../hub-home.js";
import { RealTerminal } from "../real-cli/terminal.js";
import { cleanEnv } from "../real-cli/workspace.js";
import { startTelegram, type Message } from "../telegram/emulator.js";

const ANN = 1001;
const CODE = /start=([a-z2-9]{8})/;
const QUESTION = "Tap Yes on your phone to finish";

export interface FirstMinutes {
  /** Lines that were typed at the terminal, without the secret. */
  readonly typed: readonly string[];
  /** What the bot wrote before the first card. */
  readonly before: readonly string[];
  /** The first card once it is settled. */
  readonly card: string;
  readonly screen: string;
  readonly exitCode: number;
}

export async function meetNewcomer(): Promise<FirstMinutes> {
  const telegram = await startTelegram();
  const home = new HubHome();
  // The emulator is not Telegram's own address, so one question more is asked than of a real newcomer.
  writeFileSync(
    join(home.folder, "config.yaml"),
    `channels:\n  telegram:\n    api_root: ${telegram.apiRoot}\n`,
  );
  const ann = telegram.user(ANN, "Ann");
  const env = { ...cleanEnv(home.folder), ATLASBRIDGE_HOME: home.folder, NODE: process.execPath, MAIN };
  const shell = new RealTerminal(
    { file: "/bin/sh", args: ["-i"], cwd: home.folder, env: { ...env, PS1: "$ " } },
    { cols: 100, rows: 80 },
  );
  const typed: string[] = [];
  const type = (line: string, shown = line): void => {
    typed.push(shown);
    shell.press(`${line}\r`);
  };
  try {
    type(`exec "$NODE" "$MAIN" setup`);
    await shell.waitFor(/Paste the bot token here/);
    type(telegram.token, "the token");
    await shell.waitFor(/Is it your server\?/);
    type("y");
    await shell.waitFor(CODE);
    ann.send(`/start ${CODE.exec(shell.screen)?.[1] ?? ""}`);
    await shell.waitFor(/Let Ann answer the prompts of every session\?/);
    type("y");
    const isCard = ({ text, buttons }: Message): boolean => text.includes(QUESTION) && buttons.length > 0;
    const card = await telegram.waitFor(() => telegram.posts(ANN).find(isCard), "the first card");
    const posts = telegram.posts(ANN).map(({ text }) => text);
    const before = posts.slice(
      0,
      telegram.posts(ANN).findIndex(({ id }) => id === card.id),
    );
    await shell.waitFor(/to finish \[y\/N\]/);
    ann.press(card.id, 0);
    const exitCode = await shell.exited;
    const settled = telegram.posts(ANN).find(({ id }) => id === card.id)?.text ?? "";
    return { typed, before, card: settled, screen: shell.screen, exitCode };
  } finally {
    await shell.close();
    await home.close();
    await telegram.stop();
  }
}
