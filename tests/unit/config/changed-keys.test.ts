/** The keys of the configuration that changed are named by their paths, never by their values. */
import { expect, it } from "vitest";
import { listChangedKeys } from "../../../src/config/edit.js";

const BEFORE = {
  people: [{ name: "Ara" }],
  channels: { telegram: { token: "1:a", deliver_to: [1] } },
  ledger: {},
};

it.each<[string, object, string[]]>([
  ["nothing", BEFORE, []],
  ["a list, as one", { ...BEFORE, people: [] }, ["people"]],
  [
    "a value deep down, by its name and never by what it is",
    { ...BEFORE, channels: { telegram: { token: "2:b", api_root: "http://x", deliver_to: [1] } } },
    ["channels.telegram.api_root", "channels.telegram.token"],
  ],
  ["a channel that is gone", { ...BEFORE, channels: {} }, ["channels.telegram"]],
])("names %s", (_what, after, changed) => {
  expect(listChangedKeys(BEFORE, after)).toEqual(changed);
});
