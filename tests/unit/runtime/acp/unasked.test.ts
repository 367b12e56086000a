import { describe, expect, it } from "vitest";
import { permissionIn } from "../../../../src/worker/runtime/acp/permission.js";
import { allowRule } from "../../../../src/worker/runtime/acp/permission-mode.js";
import { Unasked, type UnaskedDecision } from "../../../../src/worker/runtime/acp/unasked.js";

/** An allow list of a folder that this machine does not have. */
function listed() {
  const records: UnaskedDecision[] = [];
  const unasked = new Unasked({
    policy: { mode: "allowlist", allowlist: [allowRule("path:/srv-none/api/**")] },
    record: (decision) => Promise.resolve(records.push(decision)),
    onAnswered: () => undefined,
  });
  const allows = async (toolCall: object): Promise<boolean> => {
    const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
    const request = permissionIn({ options, toolCall: { toolCallId: "1", ...toolCall } }, () => undefined);
    const answer = request && (await unasked.answer(request, "/srv-none/api"));
    expect(records).toHaveLength(answer ? 1 : 0);
    return answer?.kind === "allow";
  };
  return allows;
}

const locations = [{ path: "/srv-none/api/a.ts" }];

describe("a folder in the allow list", () => {
  it("lets its files be edited", async () => {
    expect(await listed()({ kind: "edit", locations })).toBe(true);
    expect(await listed()({ kind: "edit", locations: [{ path: "src/b.ts" }] })).toBe(true);
  });

  it("lets no command run, wherever it says that it runs", async () =>
    expect(await listed()({ kind: "execute", locations, rawInput: { command: "rm -rf /" } })).toBe(false));

  it("lets no file be changed elsewhere, whatever the call gives as its place", async () => {
    const content = [{ type: "diff", path: "/etc/passwd", oldText: "", newText: "x" }];
    expect(await listed()({ kind: "edit", locations, content })).toBe(false);
    expect(await listed()({ kind: "edit", locations: [{ path: "../../etc/passwd" }] })).toBe(false);
  });
});
