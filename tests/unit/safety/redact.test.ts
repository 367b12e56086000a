import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact, secretSpans } from "../../../src/safety/redact.js";

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
      expect(redact(text)).toContain("[redacted]");
    }
  });

  it("hides a private key block, also one that is cut off", () => {
    const begin = join("-----BEGIN RSA ", "PRIVATE KEY-----");
    const end = join("-----END RSA ", "PRIVATE KEY-----");
    expect(redact(`${begin}\nMIIabc\ndef\n${end} rest`)).toBe(`${begin} [redacted] rest`);
    expect(redact(`${begin}\nMIIabc\ndef`)).not.toContain("MIIabc");
  });

  it("hides the password in a URL and keeps the rest", () => {
    expect(redact("psql postgres://app:hunter2@db.local/x")).toBe(
      "psql postgres://app:[redacted]@db.local/x",
    );
  });

  it("hides a bot's token in the address that it is used in", () => {
    const token = join("123456789", ":", "AAabcdefghijklmnopqrstuvwxyz0123456");
    expect(redact(`POST https://api.telegram.org/bot${token}/getMe`)).toBe(
      "POST https://api.telegram.org/bot123456789:[redacted]/getMe",
    );
  });

  it("hides short passwords behind their name", () => {
    expect(redact("password: abc")).toBe("password: [redacted]");
    expect(redact("DB_PASSWORD=x1 run")).toBe("DB_PASSWORD=[redacted] run");
    expect(redact('"api_key": "q"')).toBe('"api_key": "[redacted]"');
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
    expect(redact(rows.join("\n"))).toBe("│ export KEY=sk-proj-[redacted]\n│ deployment-of-production now");
  });

  it("hides a key in a block of its own kind, and keeps what follows it when run again", () => {
    const pgp = join(
      "-----BEGIN PGP ",
      "PRIVATE KEY BLOCK-----\nabc\n-----END PGP ",
      "PRIVATE KEY BLOCK-----",
    );
    const once = redact(`${pgp}\nrm -rf /`);
    expect(once).not.toContain("abc");
    expect(once).toMatch(/rm -rf \/$/);
    expect(redact(once)).toBe(once);
  });

  it("hides an authorization header", () => {
    expect(redact("Authorization: Bearer abcdef")).toBe("Authorization: Bearer [redacted]");
  });

  it("hides a PIN, and no other number", () => {
    expect(redact("PIN: 1234, pin=98765; spin: 1234, PINs: 2")).toBe(
      "PIN: [redacted], pin=[redacted]; spin: 1234, PINs: 2",
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
      const hidden = secretSpans(text, { byName: true }).map(({ start, end }) => text.slice(start, end));
      expect(hidden.some((part) => secret.endsWith(part) && part.length >= 12)).toBe(true);
      expect(hidden).toEqual(expect.arrayContaining(["hunter2", "abc"]));
      const certain = secretSpans(text, { byName: false }).map(({ start, end }) => text.slice(start, end));
      expect(certain).not.toContain("abc");
    }
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

  it("stays linear on hostile input", () => {
    const hostile = [
      "a".repeat(200_000),
      "password:".repeat(20_000),
      `${"x".repeat(100_000)}://`,
      "eyJ".repeat(60_000),
    ];
    const started = performance.now();
    for (const text of hostile) redact(text);
    // A quadratic rule takes minutes here; the bound only tells those two apart.
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
