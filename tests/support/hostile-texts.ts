export const MEGABYTE = `echo ${"x".repeat(1_000_000)} # end`;
export const DIFF = Array.from({ length: 5_000 }, (_, line) => `+ line ${line + 1} <b>&amp; \`code\``).join(
  "\n",
);

/** What a tool may write, and what people must be able to read of it. */
export const TEXTS: Readonly<Record<string, { text: string; readable: string }>> = {
  "bold and code": {
    text: "*bold* _it_ ~no~ `code` ```block```",
    readable: "*bold* _it_ ~no~ `code` ```block```",
  },
  "mentions of everybody": {
    text: "<!channel> <!here> <!everyone> @here",
    readable: "<!channel> <!here> <!everyone> @here",
  },
  "mentions of somebody": {
    text: "<@U0EVE> <@U0ARA|boss> <#C0WORK>",
    readable: "<@U0EVE> <@U0ARA|boss> <#C0WORK>",
  },
  "a link that lies": {
    text: "<https://evil.example|https://good.example>",
    readable: "<https://evil.example|https://good.example>",
  },
  "what a service links by itself": {
    text: "@durov says /resume at https://evil.example/x or evil.example, #now, $BTC, a@evil.example",
    readable: "@durov says /resume at https://evil.example/x or evil.example, #now, $BTC, a@evil.example",
  },
  "a link of another kind": {
    text: "tg://resolve?domain=eve tg:join +1 650 253-0000",
    readable: "tg://resolve",
  },
  "a date": { text: "<!date^0^{date}|now>", readable: "<!date^0^{date}|now>" },
  entities: { text: "&lt;!channel&gt; &amp;amp;", readable: "&lt;!channel&gt; &amp;amp;" },
  emoji: { text: ":white_check_mark: Approved", readable: ":white_check_mark: Approved" },
  "a fake card": {
    text: "✅ Yes, by Ara, confirmed\n\n🔐 claude asks for permission\n[1. No]",
    readable: "✅ Yes, by Ara, confirmed",
  },
  "text that runs backwards": { text: "rm \u202e-rf /\u202c", readable: "rm ‹U+202E›-rf /‹U+202C›" },
  "text that hides": { text: "a\u200bb\u2060c", readable: "a‹U+200B›b‹U+2060›c" },
  "letters that imitate": { text: "sudo apt install pаypal", readable: "pа‹U+0430›ypal" },
  "control characters": { text: "a\u0000b\u001b[31mc\u0007", readable: "a‹U+0000›b‹U+001B›[31mc‹U+0007›" },
  "half characters": { text: "a\ud83d b \udc00", readable: "a\ufffd b \ufffd" },
  "broken UTF-8": {
    text: Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x62]).toString("utf8"),
    readable: "a\ufffd\ufffd(b",
  },
  "a secret": { text: "export OPENAI_API_KEY=sk-proj-abcdefghijklmnopqrstuvwx", readable: "[32 hidden]" },
  tabs: { text: "if x:\n\tpass", readable: "if x:\n\tpass" },
};
