/**
 * Recorded exchanges of the real codex with a second client of its server are read by the code that reads them live, and answered
 * as the server took it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isObject, toText, type Json } from "../../../../../src/model/data/json.js";
import { createAttachedRequest } from "../../../../../src/worker/integrations/codex/attachment-request.js";
import { readThreadActivity } from "../../../../../src/worker/integrations/codex/thread-finder.js";
import { shippedAdapter } from "../../detection/screens.js";

interface Exchange {
  readonly exchange: readonly { readonly from: "server" | "client"; readonly message: Json }[];
}

const FOLDER = "tests/fixtures/exchanges/codex-coattach";
const { coattach } = shippedAdapter("codex");

const CASES: readonly [file: string, label: string, text: string | null][] = [
  ["command-accept", "Yes", "touch a1.txt"],
  ["command-decline", "No", "touch made.txt"],
  ["command-cancel", "No, and stop the turn", "touch made.txt"],
  ["edits-acceptForSession", "Yes, and don't ask again for these files", "new.txt (add)\nhello\nworld"],
  ["question", "SQLite", null],
];

function read(file: string): Exchange["exchange"] {
  return (JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Exchange).exchange;
}

function isRequest({ message }: Exchange["exchange"][number]): boolean {
  return message["method"] !== undefined && message["id"] !== undefined;
}

describe("an exchange with the real codex", () => {
  it("is read, each one that is kept", () => {
    expect(readdirSync(FOLDER).sort()).toEqual(CASES.map(([file]) => `${file}.json`).sort());
  });

  it.each(CASES)("%s: is raised whole, and answered as the server took it", (file, label, text) => {
    const exchange = read(`${file}.json`);
    const at = exchange.findIndex(isRequest);
    const { id, method, params } = exchange[at]?.message ?? {};
    if (!isObject(params) || coattach?.speaks !== "app_server") throw new Error("nothing is asked");
    const items = exchange
      .slice(0, at)
      .flatMap(({ message: { params: told } }) =>
        isObject(told) && isObject(told["item"]) && told["item"]["type"] === "fileChange"
          ? [told["item"]]
          : [],
      );
    const request = { method: toText(method) ?? "", params, item: items.at(-1) ?? null };
    const ask = createAttachedRequest(request, "/home/dev/proj", coattach.drawn);
    expect(ask?.prompt.content.cut).toBeNull();
    if (text !== null) expect(ask?.prompt.content.text).toContain(text);
    const value = (ask?.prompt.choices.findIndex((choice) => choice.label === label) ?? -1) + 1;
    const decided = ask?.answer({ value: String(value) });
    const answered = exchange
      .slice(at + 1)
      .find(({ from, message }) => from === "client" && message["id"] === id);
    expect(decided && "result" in decided && decided.result).toEqual(answered?.message["result"]);
    const resolved = exchange
      .slice(at + 1)
      .find(({ message }) => message["method"] === "serverRequest/resolved");
    expect(resolved?.message["params"]).toMatchObject({ requestId: id });
  });

  it("shows what each thread does", () => {
    const told = CASES.flatMap(([file]) => read(`${file}.json`)).flatMap(({ message: { params } }) =>
      isObject(params) && isObject(params["status"]) ? [readThreadActivity(params["status"])] : [],
    );
    expect(new Set(told)).toEqual(new Set(["working", "waiting", "idle"]));
  });
});
