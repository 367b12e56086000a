import { CHANNEL_API, type ChannelPlugin } from "atlasbridge/sdk";
import { BUTTONS_MAX } from "./card.js";
import { NtfyChannel } from "./channel.js";
import { readSettings, type NtfyConfig } from "./config.js";

const ntfy: ChannelPlugin<NtfyConfig> = {
  manifest: {
    id: "ntfy",
    api: CHANNEL_API,
    capabilities: {
      // A token travels in the body of a button, which may have thousands of bytes.
      tokenBytesMax: 256,
      buttonsMax: BUTTONS_MAX,
      edit: false,
      // Whatever is published to a topic comes from nobody: only a token that we made proves that somebody read the card.
      freeText: false,
      files: false,
      pace: {
        place: () => [{ burst: 10, everyMs: 6_000 }],
        // The service takes 60 requests at once and one in 5 s from then on; those that listen and try again count as well.
        all: [{ burst: 30, everyMs: 6_000 }],
        edits: [],
      },
    },
  },
  places: (config) => config.deliver_to,
  create: (config, host) => new NtfyChannel(readSettings(config), host),
};

export default ntfy;
