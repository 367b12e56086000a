/** The built-in channel tells watching clients which prompts were raised and how each of them ended. */
import { expect, it } from "vitest";
import { registerChecks } from "../../support/register-checks.js";
import cli from "../../../channels/cli/index.js";
import { channelChecks, type ChannelBench } from "../../../src/compat/testing/channel-kit.js";
import { promptNotice } from "../../../src/compat/testing/notices.js";
import { RecordingHost } from "../../../src/compat/testing/recording-host.js";

function open(): Promise<ChannelBench> {
  const host = new RecordingHost();
  const channel = cli.create({}, host);
  return Promise.resolve({
    host,
    channel,
    place: cli.places({})[0] ?? "",
    secrets: [],
    again: () => cli.create({}, host),
    until: (probe, what) => (probe() ? Promise.resolve() : Promise.reject(new Error(`no ${what}`))),
    stop: () => channel.stop(),
  });
}

registerChecks("every channel", channelChecks(cli, open));

it("tells watching clients which prompts were raised and how they ended", async () => {
  const { host, channel, place } = await open();
  const notice = promptNotice(place);
  const ref = await channel.deliver(notice);
  await channel.settle(ref, notice, { state: "answered", text: "✅ Yes", final: true });
  const { promptId, shortId } = notice;
  expect(host.broadcasts).toEqual([
    { kind: "raised", promptId, shortId },
    { kind: "settled", promptId, shortId, state: "answered", text: "✅ Yes", final: true },
  ]);
});
