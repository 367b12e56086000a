/** `docs/reference/tests.md`: every suite, with what it holds. */
import { readdirSync, readFileSync } from "node:fs";
import { code, GENERATED, page, table } from "./markdown.js";
import { purpose } from "./real-suites-page.js";

/** Folders of suites, in the order of the page, with how they are run. */
const SUITES: readonly (readonly [folder: string, intro: string])[] = [
  ["unit", "One module at a time, in memory or on a temporary file (`npm test`)."],
  ["property", "Generated inputs (`npm test`)."],
  ["lab", "Recordings of real tools, replayed (`npm test`)."],
  [
    "contract",
    "What every adapter and every channel must keep to, over real HTTP and WebSocket (`npm test`).",
  ],
  ["pty", "Real terminals and processes (`npm test`)."],
  ["e2e", "The whole program as people run it, against emulated services (`npm test`)."],
  ["repo", "The repository itself: layers, pages, packages (`npm test`)."],
  ["faults", "Real processes, killed or failed at each named step (`npm run test:faults`)."],
  ["load", "Many sessions at once (`npm run test:load`)."],
  ["security", "Attacks in bulk (`npm run test:security`)."],
  ["pack", "The package as people install it (`npm run test:pack`)."],
  ["long-wait", "The real claude, answered after hours (`npm run test:long-wait`)."],
];

export function testsPage(): string {
  return page(
    "# Tests",
    GENERATED,
    "What each suite holds, from the comment at its top or, where it has none, from its titles. `npm run test:all` also runs the slower files of\nthe suites that `npm test` runs. Suites of real tools have [a page of their own](real-suites.md).",
    ...SUITES.flatMap(([folder, intro]) => [
      `## ${folder}`,
      intro,
      table(["Suite", "What it holds"], rows(folder)),
    ]),
  );
}

function rows(folder: string): string[][] {
  const root = `tests/${folder}`;
  const files = readdirSync(root, { recursive: true, encoding: "utf8" });
  const suites = files.filter((file) => file.endsWith(".test.ts")).sort();
  return suites.map((suite) => [code(`${root}/${suite}`), held(`${root}/${suite}`)]);
}

/** Titles that are templates (`%s`) or made by code say nothing here. */
function held(suite: string): string {
  const comment = purpose(suite);
  if (comment !== "") return comment;
  const text = readFileSync(suite, "utf8");
  const subjects = [...text.matchAll(/^describe\("([^"]+)"/gm)].map(([, title = ""]) => title);
  const titles = [...text.matchAll(/^(?:it|test)(?:\.each\(.*?\))?\(\s*"([^"]+)"/gm)].map(
    ([, title = ""]) => title,
  );
  return (subjects.length > 0 ? subjects : titles).join("; ");
}
