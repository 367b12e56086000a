/** The folder on a card fits one line of a phone, and still says where it is. */
import { describe, expect, it } from "vitest";
import { abbreviateHome, shortenFolder } from "../../../../src/model/data/short-folder.js";

const HOME = "/home/ann";

describe("the folder on a card", () => {
  it.each([
    ["/home/ann", "~"],
    ["/home/ann/src/api", "~/src/api"],
    ["/home/anna/src/api", "/home/anna/src/api"],
    ["/", "/"],
    ["/srv/www", "/srv/www"],
    ["/home/ann/code/clients/acme/backends/services/api", "~/…/clients/acme/backends/services/api"],
    ["/srv/deployments/europe/production/www/html", "/srv/…/europe/production/www/html"],
    [`/home/ann/${"a".repeat(50)}`, `~/${"a".repeat(50)}`],
    [`/home/ann/src/${"a".repeat(50)}`, `~/…/${"a".repeat(50)}`],
  ])("of %s is %s", (folder, shown) => {
    expect(shortenFolder(folder, HOME)).toBe(shown);
  });

  it("is whole where the home folder is not known", () => {
    expect(shortenFolder("/src/api", "")).toBe("/src/api");
    expect(shortenFolder("/src/api", "/")).toBe("/src/api");
  });

  it("is whole except for the home folder where nothing may be left out", () => {
    const folder = "/srv/clients/acme/backends/services/production/api";
    expect(abbreviateHome(`${HOME}${folder}`, HOME)).toBe(`~${folder}`);
    expect(abbreviateHome(folder, HOME)).toBe(folder);
  });
});
