import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { HubHome } from "../support/hub-home.js";

const FAILING = ["--", "sh", "-c", "exit 7"];
let home: HubHome;

beforeEach(() => void (home = new HubHome()));
afterEach(() => home.close());

it("a tool that ends before the hub is up still gives its exit code", async () => {
  expect((await home.run("run", ...FAILING)).code).toBe(7);
});

it("a tool whose hub never comes up still gives its exit code", async () => {
  const file = join(home.folder, "file");
  writeFileSync(file, "");
  Object.assign(home.env, { ATLASBRIDGE_HOME: file });
  expect((await home.run("run", ...FAILING)).code).toBe(7);
});
