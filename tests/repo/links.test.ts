/**
 * Every link in the repository leads somewhere, every page of the documentation is in the index, and no text names a page, a
 * heading or a decision that is missing.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { listFiles } from "./files.js";

/** Written and read by machines, or by other programs than ours. */
const NOT_OURS =
  /^(?:prompt-lab\/scenarios|tests\/fixtures|docs\/reference\/live)\/|^package-lock\.json$|\.(?:png|svg|ttf)$/;
const SECTION = "\u00a7";
/** Documents outside of the repository, each named in full where a section of it is. */
const KNOWN = /(?:[Aa]dapter spec|JSON-RPC 2\.0|semantic versioning 2\.0,)(?: \u00a7[\d.]+(?:,| and)?)+/g;
/** What this repository was made from, by the names that its makers had for it. */
const ABSENT = /\bthe (?:design (?:says|asks|allows|promises)|seed['’]s)\b/i;
const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;
const NAMED_PAGE = /(?<![\w./-])docs\/[\w./-]+\.md(?:#[\w-]+)?/g;
/** From the root of the repository. */
const NAMED_PATH = /^(?:\.ci|adapters|bench|channels|dist|docs|prompt-lab|src|tests)\/[\w./-]+$/;
/** The end of a path: `claim.ts`, `pty/pty.ts`, or a folder below `src`, as `worker/pty`. */
const NAMED_FILE = /^(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.ts$/;
const NAMED_FOLDER = /^(?:app|channels|cli|client|hub|worker)(?:\/[\w-]+)+\/?$/;
const NAMED_DECISION = /\bADRs? (\d+)/g;

const texts = listFiles(".").filter((file) => !NOT_OURS.test(file));
const pages = texts.filter((file) => file.endsWith(".md"));
/** Every file, and every folder, as `/src/worker/pty/pty.ts` and `/src/worker/pty`. */
const places = listPlaces(listFiles("."));
const decisions = listFiles("docs/adr").length;

/** A page without its blocks of code, in which brackets are no links and `#` is no heading. */
function readProse(page: string): string {
  return readFileSync(page, "utf8").replace(/^```[\s\S]*?^```/gm, "");
}

/** As GitHub makes them of headings. */
function listAnchors(page: string): string[] {
  return [...readProse(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function listPlaces(files: readonly string[]): ReadonlySet<string> {
  const parents = files.flatMap((file) => file.split("/").map((_, at, parts) => parts.slice(0, at + 1)));
  return new Set(parents.map((parts) => `/${parts.join("/")}`));
}

/** What a page says in back-ticks that reads like a path of the repository. */
function listPaths(text: string): string[] {
  const words = [...text.matchAll(/`([^`\s]+)`/g)].map(([, word = ""]) => word);
  return words.filter((word) => [NAMED_PATH, NAMED_FILE, NAMED_FOLDER].some((form) => form.test(word)));
}

function isMissing(path: string): boolean {
  const end = `/${path.replace(/\/$/, "")}`;
  return !existsSync(path) && ![...places].some((place) => place.endsWith(end));
}

/** Why a link leads nowhere, or null. */
function problemWith(from: string, link: string): string | null {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? from : normalize(join(dirname(from), path));
  if (!existsSync(target)) return `${from}: ${link} is not there`;
  if (anchor === undefined || statSync(target).isDirectory()) return null;
  return listAnchors(target).includes(anchor) ? null : `${from}: ${link} has no such heading`;
}

describe("what the repository says of itself", () => {
  it("has no link that leads nowhere", () => {
    const links = pages.flatMap((page) =>
      [...readProse(page).matchAll(LINK)].map(([, link = ""]) => [page, link] as const),
    );
    const internal = links.filter(([, link]) => !/^[a-z]+:/.test(link));
    expect(internal.length).toBeGreaterThan(50);
    expect(internal.map(([page, link]) => problemWith(page, link)).filter((problem) => problem)).toEqual([]);
  });

  it.each([
    ["docs/explanation/architecture.md", "adr/0099-nothing.md", "is not there"],
    ["docs/explanation/architecture.md", "#nothing", "no such heading"],
    ["docs/reference/errors.md", "../explanation/threat-model.md#nothing", "no such heading"],
  ])("is searched for links, and in %s the link %s is found to lead nowhere", (page, link, problem) => {
    expect(problemWith(page, link)).toContain(problem);
  });

  it("names no page, no heading and no decision that is not there", () => {
    const missing = texts.flatMap((file) => {
      const text = readFileSync(file, "utf8");
      const lost = (text.match(NAMED_PAGE) ?? []).map((page) => problemWith("README.md", page));
      const future = [...text.matchAll(NAMED_DECISION)].filter(([, number]) => Number(number) > decisions);
      return [...lost.filter((problem) => problem), ...future.map(([name]) => name)].map(
        (what) => `${file}: ${what}`,
      );
    });
    expect(missing).toEqual([]);
  });

  it("names in back-ticks no path of the repository that is missing", () => {
    const named = pages.flatMap((page) =>
      listPaths(readFileSync(page, "utf8")).map((path) => ({ page, path })),
    );
    expect(named.length).toBeGreaterThan(700);
    expect(named.filter(({ path }) => isMissing(path))).toEqual([]);
  });

  it.each(["src/worker/transport", "still-asked.ts", "transport/job-shell.ts", "worker/runtime/acp"])(
    "is searched for paths, and `%s` is found to be missing",
    (path) => {
      expect(listPaths(`It is in \`${path}\`.`).filter(isMissing)).toEqual([path]);
    },
  );

  it("lists every page of the documentation in its index", () => {
    const index = readFileSync("docs/README.md", "utf8");
    const listed = listFiles("docs").filter(
      (file) => file.endsWith(".md") && !/^docs\/(?:adr\/\d|README)/.test(file),
    );
    expect(listed.filter((file) => !index.includes(`](${file.slice("docs/".length)})`))).toEqual([]);
  });

  it("points to no document that readers do not have", () => {
    const points = (line: string): boolean => line.replace(KNOWN, "").includes(SECTION) || ABSENT.test(line);
    const pointing = texts.flatMap((file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .filter(points)
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(pointing).toEqual([]);
  });
});
