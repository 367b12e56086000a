/** `lab record` runs a command in a clean environment, ends at the marker key, keeps nothing private, and overwrites no scenario. */
import { makeTestFolder } from "../support/temporary-folder.js";
import { EventEmitter } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { parseRecording } from "../../prompt-lab/scenario/recording.js";
import { parseScenario } from "../../prompt-lab/scenario/scenario.js";
import { recordScenario, type RecordOptions } from "../../prompt-lab/record/record.js";
import { hostIo } from "../support/host-io.js";
import { HostTerminal } from "../../src/worker/session/host/host-terminal.js";
import { waitFor } from "../support/wait-for.js";

const CTRL_BRACKET = "\u001d";

/** A host without a terminal: what the command prints is collected, what a person types is pushed. */
class FakeHost {
  readonly input = new PassThrough();
  shown = "";
  readonly terminal = new HostTerminal(
    hostIo({
      input: this.input,
      output: new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          this.shown += chunk.toString();
          done();
        },
      }),
      events: new EventEmitter(),
      measure: () => ({ cols: 90, rows: 20 }),
    }),
  );

  async seen(text: string): Promise<void> {
    await waitFor(() => expect(this.shown).toContain(text));
  }
}

let folder: string;
let out: string;
beforeEach(() => {
  folder = makeTestFolder("lab-record");
  out = join(folder, "asks.json");
});

function options(script: string): RecordOptions {
  return { command: ["/bin/sh", "-c", script], tool: "generic", out, clean: true };
}

function readOutput(file: string): string {
  const events = parseRecording(readFileSync(file, "utf8"), file);
  return events
    .map((event) => ("data_b64" in event ? Buffer.from(event.data_b64, "base64").toString() : ""))
    .join("");
}

describe("lab record", () => {
  it("ends at the marker key with the question on the screen and the facts of the terminal", async () => {
    const host = new FakeHost();
    const done = recordScenario(options('stty -echo; printf "Password: "; read x'), host.terminal);
    await host.seen("Password:");
    host.input.write(CTRL_BRACKET);
    const { marked, scenarioFile, recordingFile } = await done;
    expect(marked).toBe(true);
    expect(readOutput(recordingFile)).toBe("Password: ");
    const skeleton = JSON.parse(readFileSync(scenarioFile, "utf8")) as Record<string, unknown>;
    expect(skeleton).toMatchObject({
      tool: "generic",
      scenario_id: "generic_asks",
      cols: 90,
      rows: 20,
      recording_file: "asks.jsonl",
      tty: { echo: false, canonical: true, foreground: "sh -c" },
    });
  });

  it("says that it records only once it does, and not where the command cannot start or the recording would be useless", async () => {
    const host = new FakeHost();
    let started = 0;
    const onStart = () => {
      started++;
    };
    const other = { ...options("true"), onStart, tool: "genneric" };
    await expect(recordScenario(other, host.terminal)).rejects.toMatchObject({ code: "ATB_ADAPTER_UNKNOWN" });
    const none = { ...options("true"), onStart, command: [join(folder, "nothing")] };
    await expect(recordScenario(none, host.terminal)).rejects.toMatchObject({ code: "ATB_TOOL_NOT_FOUND" });
    expect(started).toBe(0);
    await recordScenario({ ...options("true"), onStart }, host.terminal);
    expect(started).toBe(1);
  });

  it("leaves it to a person to say what must be seen: the scenario runs only after that", async () => {
    const host = new FakeHost();
    await recordScenario(options("echo done"), host.terminal);
    const source = readFileSync(out, "utf8");
    const read = (path: string) => readFileSync(join(folder, path), "utf8");
    expect(() => parseScenario(source, out, read)).toThrow('has no field "expected_type"');
    const labelled = JSON.stringify({ ...(JSON.parse(source) as object), expected_type: null });
    expect(parseScenario(labelled, out, read).tool).toBe("generic");
  });

  it("keeps the keys that act and never what was typed", async () => {
    const host = new FakeHost();
    const done = recordScenario(
      options('stty -echo; printf "Name: "; read x; printf "Sure? "; read y'),
      host.terminal,
    );
    await host.seen("Name: ");
    host.input.write("s3cret\r");
    await host.seen("Sure? ");
    host.input.write(CTRL_BRACKET);
    const { recordingFile } = await done;
    const events = parseRecording(readFileSync(recordingFile, "utf8"), recordingFile);
    const typed = events.flatMap((event) =>
      "input_b64" in event ? Buffer.from(event.input_b64, "base64").toString() : [],
    );
    expect(typed).toEqual(["xxxxxx\r"]);
  });

  it("says when the command ended before the marker key", async () => {
    const { marked } = await recordScenario(options("echo bye"), new FakeHost().terminal);
    expect(marked).toBe(false);
    expect(readOutput(join(folder, "asks.jsonl"))).toBe("bye\r\n");
  });

  it("ends a command that ignores SIGHUP, and records nothing after the marker key", async () => {
    const host = new FakeHost();
    const done = recordScenario(
      options("trap 'echo late' HUP; echo ready; while :; do sleep 0.05; done"),
      host.terminal,
    );
    await host.seen("ready");
    host.input.write(CTRL_BRACKET);
    const { recordingFile } = await done;
    expect(readOutput(recordingFile)).toBe("ready\r\n");
    expect(host.shown).toContain("late");
  });

  it("gives the command the size that was asked for", async () => {
    const sized = { ...options("stty size"), cols: 45, rows: 15 };
    await recordScenario(sized, new FakeHost().terminal);
    expect(readOutput(join(folder, "asks.jsonl"))).toBe("15 45\r\n");
  });

  it("shows hardly any of the environment to a command that is recorded clean", async () => {
    vi.stubEnv("SOME_TOKEN", "abc");
    await recordScenario(options('echo "<$SOME_TOKEN>"'), new FakeHost().terminal);
    expect(readOutput(join(folder, "asks.jsonl"))).toBe("<>\r\n");
    vi.unstubAllEnvs();
  });

  it("never overwrites a scenario", async () => {
    writeFileSync(out, "mine");
    await expect(recordScenario(options("true"), new FakeHost().terminal)).rejects.toThrow("already exists");
    expect(readFileSync(out, "utf8")).toBe("mine");
  });

  it("starts nothing when the command is not there", async () => {
    const missing = { ...options(""), command: ["no-such-command-here"] };
    await expect(recordScenario(missing, new FakeHost().terminal)).rejects.toMatchObject({
      code: "ATB_TOOL_NOT_FOUND",
    });
  });
});
