/**
 * `npm run release`, in a clone of this repository, refuses an unfinished release, builds a tarball with its checksum, and tags
 * it. A dry run tags nothing.
 */
import { makeTestFolder } from "../support/temporary-folder.js";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, expect, it } from "vitest";

const ROOT = resolve(".");
const VERSION = (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version;

let clone: string;
beforeEach(() => {
  clone = makeTestFolder("atb-release");
  git("init", "--quiet");
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  for (const file of files.split("\0").filter((name) => name !== "" && existsSync(name)))
    if (!/^(?:tests|prompt-lab\/scenarios)\//.test(file)) cpSync(file, join(clone, file));
  symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"));
  writeFileSync(join(clone, ".git/info/exclude"), "node_modules\n");
  commit("everything");
});

function git(...words: string[]): string {
  const who = ["-c", "user.name=Ara", "-c", "user.email=ara@example.com"];
  return execFileSync("git", [...who, ...words], { cwd: clone, encoding: "utf8" }).trim();
}

function commit(subject: string): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", subject);
}

function release(...args: string[]): { code: number | null; text: string } {
  const env = { ...process.env, GIT_COMMITTER_NAME: "Ara", GIT_COMMITTER_EMAIL: "ara@example.com" };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["release.mjs", ...args], {
    cwd: clone,
    encoding: "utf8",
    env,
  });
  return { code: status, text: stdout + stderr };
}

function dateChangelog(): void {
  const path = join(clone, "CHANGELOG.md");
  const text = readFileSync(path, "utf8").replace(/^## \S+ \(unreleased\)$/m, `## ${VERSION} (2026-01-31)`);
  writeFileSync(path, text);
}

it("a release without a dated section, or with changes that are not committed, is refused", () => {
  const undated = release();
  expect(undated.code).toBe(1);
  expect(undated.text).toContain(`CHANGELOG.md has no section "## ${VERSION} (YYYY-MM-DD)"`);
  dateChangelog();
  const dirty = release();
  expect(dirty.code).toBe(1);
  expect(dirty.text).toContain("the working tree has changes");
  expect(git("tag", "--list")).toBe("");
});

it("a release is a tarball with its checksum, and a tag that holds it; a second one is refused", () => {
  dateChangelog();
  commit("date the changelog");
  const made = release();
  expect(made.text).toContain(`tagged v${VERSION}`);
  expect(made.code).toBe(0);
  const [checksum = "", file = ""] = readFileSync(join(clone, "release/SHA256SUMS"), "utf8")
    .trim()
    .split("  ");
  const tarball = readFileSync(join(clone, "release", file));
  expect(createHash("sha256").update(tarball).digest("hex")).toBe(checksum);
  expect(git("tag", "--list", "--format=%(contents)")).toContain(checksum);
  expect(release().text).toContain(`v${VERSION} exists already`);
});

it("a dry run builds the tarball, names what would stop a release, and tags nothing", () => {
  const tried = release("--dry-run");
  expect(tried.code).toBe(0);
  expect(tried.text).toContain("a release would stop here: CHANGELOG.md has no section");
  expect(existsSync(join(clone, "release/SHA256SUMS"))).toBe(true);
  expect(git("tag", "--list")).toBe("");
  expect(release("--fast")).toMatchObject({ code: 1, text: expect.stringContaining("--fast") as string });
});
