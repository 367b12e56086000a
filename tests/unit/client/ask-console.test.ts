/** What a session of an older version does not know is said in words of the command line. */
import { expect, it } from "vitest";
import * as v from "valibot";
import { findLack } from "../../../src/client/ask-console.js";
import { AtlasBridgeError } from "../../../src/model/errors.js";
import { fromRpcError, RPC_ERROR } from "../../../src/wire/rpc.js";
import { check } from "../../../src/wire/validate.js";

/** As the session's side answers, and the caller's side reads it. */
function refuse(params: object): AtlasBridgeError {
  const checked = check(v.strictObject({ command: v.string() }), params, "params");
  if (checked.ok) throw new Error("it was not refused");
  return fromRpcError({ code: RPC_ERROR.invalidParams, message: checked.problem }, "console.run");
}

it.each([
  [{ command: "ls", raw: true }, "--raw"],
  [{ command: "ls", directory: "/" }, "--cd"],
])("an option that it has not yet", (params, option) => {
  expect(findLack(refuse(params))?.message).toBe(
    `nothing was typed: this session was started by an older AtlasBridge, which has no ${option}`,
  );
});

it("any other error stays what it is", () => {
  expect(findLack(refuse({ command: 1 }))).toBeNull();
  expect(findLack(new AtlasBridgeError("ATB_WIRE_LOST", "params.raw: unknown field", {}))).toBeNull();
});
