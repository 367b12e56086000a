import { CHANNEL_API, type ChannelPlugin } from "../../src/sdk/channel.js";
import { CliChannel } from "./channel.js";

/** It needs no configuration. */
type CliConfig = Readonly<Record<string, never>>;

/** Nothing is drawn here, so there are no limits; the fields only need a number. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

const cli: ChannelPlugin<CliConfig> = {
  manifest: {
    id: "cli",
    api: CHANNEL_API,
    capabilities: {
      tokenBytesMax: UNBOUNDED,
      buttonsMax: UNBOUNDED,
      edit: true,
      freeText: true,
      files: false,
      pace: null,
    },
  },
  places: () => ["terminal"],
  create: (_config, host) => new CliChannel(host),
};

export default cli;
