/**
 * The shell that keeps a tool's jobs gets the command and the plain variables unchanged, and hides from itself those that would
 * change it.
 */
import { describe, expect, it } from "vitest";
import { wrapInJobShell } from "../../../../src/worker/pty/job-shell.js";

const start = (env: Record<string, string>, command = ["tool", "a b"]) =>
  wrapInJobShell({ command, env, modes: null }, "/bin/sh");

describe("the shell that keeps a tool's jobs", () => {
  it("gets the command word by word, the terminal's settings, and job control from its first moment", () => {
    const { file, args } = wrapInJobShell({ command: ["tool", "a b", ""], env: {}, modes: "4500:5" })!;
    expect(file).toBe("/bin/sh");
    expect(args.slice(0, 2)).toEqual(["-m", "-c"]);
    expect(args.slice(3)).toEqual(["atlasbridge-jobs", "4500:5", "tool", "a b", ""]);
  });

  it("passes plain variables on, and carries past itself what it would change or obey", () => {
    const odd = { PWD: "/x", SHLVL: "3", IFS: ":", BASH_ENV: "/e", "BASH_FUNC_kill%%": "() { :; }" };
    const { env, args } = start({ PATH: "/bin", SECRET: "s", ...odd })!;
    expect(env["PATH"]).toBe("/bin");
    expect(env["SECRET"]).toBe("s");
    for (const name of Object.keys(odd)) expect(env).not.toHaveProperty([name]);
    const carried = Object.entries(odd).map((entry) => entry.join("="));
    expect(Object.values(env)).toEqual(["/bin", "s", ...carried]);
    expect(args.join(" ")).not.toContain("/x");
  });

  it("removes the variables that carried them, and those that a shell adds", () => {
    const { args } = start({ PWD: "/x" })!;
    expect(args[2]).toContain("-u PWD -u OLDPWD -u SHLVL -u _ -u atlasbridge_kept_0");
  });

  it("is not used for a variable that no shell passes on, nor for a command that `env` would take for a variable", () => {
    expect(start({ "my-secret": "s" })).toBeNull();
    expect(start({ "": "s" })).toBeNull();
    expect(start({}, ["./a=b"])).toBeNull();
    expect(start({}, ["tool", "a=b"])).not.toBeNull();
  });
});
