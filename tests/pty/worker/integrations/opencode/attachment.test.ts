/**
 * A joined opencode raises all requests that wait before and after the join, and each answer reaches its own request. Nothing is
 * sent once a person at the interface or another program has answered, and no server without a password is joined.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../../../src/observe/clock.js";
import type { Candidate } from "../../../../../src/sdk/candidate.js";
import { LoopbackClient } from "../../../../../src/worker/loopback/loopback-client.js";
import { notLinux, skipped } from "../../../../support/skipped.js";
import {
  answer,
  atEnd,
  endAll,
  joinServer,
  LOGIN,
  type Heard,
  type JoinedServer,
} from "../../../support/joined-server.js";
import { waitFor } from "../../../../support/wait-for.js";

const AGENT = resolve("tests/fixtures/agents/session-server-agent.mjs");

interface Live extends JoinedServer {
  readonly agent: ChildProcess;
  /** A task as the person at the tool's own interface gives it; its answers too. */
  readonly post: (path: string, body: object) => Promise<unknown>;
  readonly noted: () => string[];
  /** The server's own name for what was asked so many'th, whether or not we were told of it. */
  readonly askedId: (count: number) => Promise<string>;
}

afterEach(endAll);

async function joined(mode = "tasks"): Promise<Live> {
  const folder = mkdtempSync(join(tmpdir(), "session-join-"));
  const notes = join(folder, "noted");
  const env = {
    ...process.env,
    NOTES: notes,
    MODE: mode,
    OPENCODE_SERVER_USERNAME: LOGIN.user,
    OPENCODE_SERVER_PASSWORD: LOGIN.password,
  };
  const agent = spawn(process.execPath, [AGENT], { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  agent.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const port = await waitFor(() => Number(/127\.0\.0\.1:(\d+)/.exec(said)?.[1] ?? expect.fail("not up")));
  const person = new LoopbackClient({ port, login: LOGIN, clock: systemClock });
  const server = joinServer(() => agent.pid ?? null, { cwd: folder });
  atEnd(async () => {
    server.close();
    person.close();
    if (agent.exitCode === null && agent.signalCode === null) {
      agent.kill("SIGKILL");
      await once(agent, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  });
  const ids: string[] = [];
  await person.openEvents("/event", {
    onEvent: (event) => {
      const [, id] = /"type":"\w+\.asked".*?"id":"((?:que|per)_\d+)"/.exec(JSON.stringify(event)) ?? [];
      if (id !== undefined) ids.push(id);
    },
    onTooDeep: () => undefined,
    onTooLong: () => undefined,
    onEnd: () => undefined,
  });
  await person.request("POST", "/session", {});
  return {
    ...server,
    agent,
    post: (path, body) => person.request("POST", path, body),
    askedId: (count) => waitFor(() => ids[count - 1] ?? expect.fail("nothing was asked")),
    noted: () => (existsSync(notes) ? readFileSync(notes, "utf8").split("\n").filter(Boolean) : []),
  };
}

const task = (text: string) => ({ parts: [{ type: "text", text }] });
const prompt = (live: Live, text: string) => live.post("/session/ses_1/prompt_async", task(text));

describe.skipIf(skipped(notLinux))(
  "an attachment to a tool whose interface has a server of sessions in it",
  () => {
    it("raises requests from before and after the join, and each answer reaches its own request", async () => {
      const live = await joined();
      await prompt(live, "both touch");
      await live.asked(2);
      const [one, two] = live.heard as [Heard, Heard];
      expect([one, two].map(({ ask }) => ask.prompt.content.text.split("\n")[0])).toEqual([
        "touch 1",
        "touch 2",
      ]);
      expect(one.ask.prompt.choices.map(({ label }) => label)).toEqual([
        "Yes",
        "Yes, and don't ask again for bash touch * until the tool is restarted",
        "No",
        "No, and stop the turn",
      ]);
      expect(await answer(two, "1")).toBe("delivered");
      await waitFor(() => expect(live.noted().at(-1)).toBe('{"reply":"once"}'));
      expect(one.call.isOpen).toBe(true);
      expect(await answer(one, "3", "not here")).toBe("delivered");
      await waitFor(() => expect(live.noted().at(-1)).toBe('{"reply":"reject","message":"not here"}'));
    });

    it("says no as the dialog does: the turn and its other requests end", async () => {
      const live = await joined();
      await prompt(live, "both touch");
      const two = await live.asked(2);
      expect(await answer(two, "4")).toBe("delivered");
      await waitFor(() => expect(live.heard[0]?.gone).toEqual(["over"]));
      expect(live.noted().filter((line) => line.includes("reject"))).toEqual([
        '{"reply":"reject"}',
        '{"reply":"reject"}',
      ]);
    });

    it("sends nothing once a person has answered in the interface", async () => {
      const live = await joined();
      await prompt(live, "question");
      const asked = await live.asked(1);
      expect(asked.ask.matchesDialog?.({ safetyClass: "question" } as Candidate)).toBe(true);
      expect(asked.ask.matchesDialog?.({ safetyClass: "permission" } as Candidate)).toBe(false);
      await live.post(`/question/${await live.askedId(1)}/reply`, { answers: [["red"]] });
      await waitFor(() => expect(asked.gone).toEqual(["answered"]));
      expect(await answer(asked, "2")).toBe("gone");
      expect(live.noted().at(-1)).toBe('{"answers":[["red"]]}');
    });

    it("distinguishes requests that somebody else answered from those that our answer ended as well", async () => {
      const live = await joined();
      await prompt(live, "both touch");
      const two = await live.asked(2);
      // Whoever says No in the interface is the answerer of all that goes with it.
      await live.post(`/permission/${await live.askedId(1)}/reply`, { reply: "reject" });
      await waitFor(() => expect(two.gone).toEqual(["answered"]));
      expect(live.heard[0]?.gone).toEqual(["answered"]);
      await prompt(live, "run touch a");
      const yes = await live.asked(3);
      await live.post(`/permission/${await live.askedId(3)}/reply`, { reply: "always" });
      await waitFor(() => expect(yes.gone).toEqual(["answered"]));
    });

    it("and another client answer at one moment: the first counts, and the late one gets an error at once", async () => {
      const live = await joined();
      await prompt(live, "run touch a");
      const [asked, id] = [await live.asked(1), await live.askedId(1)];
      const theirs = { reply: "reject", message: "no" };
      const [{ status }, ours] = await Promise.all([
        live.post(`/permission/${id}/reply`, theirs) as Promise<{ status: number }>,
        answer(asked, "1"),
      ]);
      expect([status, ours]).toEqual(status === 200 ? [200, "gone"] : [404, "delivered"]);
      await waitFor(() =>
        expect(live.noted()).toContain(JSON.stringify(status === 200 ? theirs : { reply: "once" })),
      );
      expect(asked.gone).toEqual(status === 200 ? ["answered"] : []);
    });

    it("withdraws prompts when the turn is stopped, and raises them from the screen when the server is gone", async () => {
      const live = await joined();
      await prompt(live, "run sleep");
      const stopped = await live.asked(1);
      await live.post("/session/ses_1/abort", {});
      await waitFor(() => expect(stopped.gone).toEqual(["over"]));
      await prompt(live, "run touch a");
      const killed = await live.asked(2);
      live.agent.kill("SIGKILL");
      await waitFor(() => expect(killed.gone).toEqual(["lost"]));
      expect(await answer(killed, "1")).toBe("gone");
    });

    it("never reads from or answers a server that takes no password", async () => {
      const live = await joined("open");
      await prompt(live, "run touch a");
      await waitFor(() => expect(live.noted()).toContain("a stranger"));
      // Whoever listens is told of this as well.
      await live.askedId(1);
      await prompt(live, "run touch b");
      await live.askedId(2);
      expect(live.heard).toEqual([]);
      expect(live.noted().filter((line) => line === "a listener")).toHaveLength(1);
    });
  },
);
