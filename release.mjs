/**
 * Builds the tarball of a release with its checksum, and tags the commit: `npm run release [-- --dry-run]`. Stops before it changes
 * anything where the tree is not clean, the version has a tag already, or CHANGELOG.md has no dated section for it.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const OUT = "release";
const args = process.argv.slice(2);
const isDryRun = args.includes("--dry-run");
const unknown = args.filter((arg) => arg !== "--dry-run");
if (unknown.length > 0) fail(`unknown argument ${unknown[0]}; the only one is --dry-run`);

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const tag = `v${version}`;

const problems = [
  run("git", "status", "--porcelain") && "the working tree has changes: commit or stash them",
  run("git", "tag", "--list", tag) && `${tag} exists already: raise the version in package.json`,
  !isDated() && `CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)": date it`,
].filter(Boolean);
if (problems.length > 0 && !isDryRun) fail(problems.join("\n"));
for (const problem of problems) console.log(`a release would stop here: ${problem}`);

mkdirSync(OUT, { recursive: true });
const [packed] = JSON.parse(run("npm", "pack", "--json", "--pack-destination", OUT));
const checksum = createHash("sha256")
  .update(readFileSync(join(OUT, packed.filename)))
  .digest("hex");
writeFileSync(join(OUT, "SHA256SUMS"), `${checksum}  ${packed.filename}\n`);
console.log(
  `${join(OUT, packed.filename)}: ${packed.entryCount} files, ${packed.size} bytes\nsha256 ${checksum}`,
);

if (!isDryRun) {
  run("git", "tag", "--annotate", tag, "--message", `AtlasBridge ${version}\n\nsha256 ${checksum}`);
  console.log(`tagged ${tag}; publish with: git push origin ${tag}`);
}

function isDated() {
  const heading = new RegExp(`^## ${version.replaceAll(".", "\\.")} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, "m");
  return heading.test(readFileSync("CHANGELOG.md", "utf8"));
}

function run(command, ...words) {
  return execFileSync(command, words, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
}

function fail(message) {
  console.error(`release: ${message}`);
  process.exit(1);
}
