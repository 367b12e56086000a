/** Our hooks on a tool's command line are trusted by the hash that the tool computes of them, and hold any command as one string. */
import { describe, expect, it } from "vitest";
import { createHooksOverride } from "../../../../../src/worker/integrations/hooks/hook-settings.js";

const EVENTS = [{ name: "PermissionRequest", by: "command" } as const];

describe("hooks on a tool's command line", () => {
  it("are trusted by the hash that the tool makes of them, and nothing else is", () => {
    expect(createHooksOverride("hooks", "/<session-flags>/config.toml", EVENTS, "true")).toBe(
      [
        'hooks={PermissionRequest=[{hooks=[{type="command",command="true"}]}],',
        'state={"/<session-flags>/config.toml:permission_request:0:0"=',
        '{trusted_hash="sha256:84bfab601cd796832edd357e1b1cff50587dfa272fa1464175bc664008d5de00"}}}',
      ].join(""),
    );
  });

  it("hold any command as one string", () => {
    const told = createHooksOverride("hooks", "/place", EVENTS, `'/a "b"/node' 'it'\\''s\\n'`);
    expect(told).toContain(`command="'/a \\"b\\"/node' 'it'\\\\''s\\\\n'"`);
  });
});
