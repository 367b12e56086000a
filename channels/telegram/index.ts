import { CHANNEL_API, type ChannelPlugin } from "../../src/sdk/channel.js";
import { findPrivatePerson, type TelegramConfig } from "./config.js";
import { createTelegram } from "./create.js";
import { diagnose } from "./diagnose.js";
import { BUTTONS_MAX, TOKEN_BYTES_MAX } from "./limits.js";
import { PACE } from "./pace.js";
import { checkToken, describeGroup, greet, PREPARATION } from "./pairing.js";

const telegram: ChannelPlugin<TelegramConfig> = {
  manifest: {
    id: "telegram",
    api: CHANNEL_API,
    capabilities: {
      tokenBytesMax: TOKEN_BYTES_MAX,
      buttonsMax: BUTTONS_MAX,
      edit: true,
      freeText: true,
      files: true,
      steps: true,
      // Two attempts fit before the service forgets the query.
      pace: PACE,
    },
  },
  places: (config) => config.deliver_to.map(String),
  personAt: findPrivatePerson,
  create: (config, host) => createTelegram(config, host),
  pairing: {
    ...PREPARATION,
    secrets: [{ key: "token", question: "bot token", env: "TELEGRAM_BOT_TOKEN" }],
    check: (config, clock) => checkToken(config, clock),
    greet,
    describeGroup,
  },
  diagnose,
};

export default telegram;
