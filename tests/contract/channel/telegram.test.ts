/** The channel contract holds for Telegram. */
import telegram from "../../../channels/telegram/index.js";
import { channelChecks } from "../../../src/compat/testing/channel-kit.js";
import { serviceChecks } from "../../../src/compat/testing/service-kit.js";
import { registerChecks } from "../../support/register-checks.js";
import { openTelegram } from "./telegram-bench.js";

registerChecks("every channel", channelChecks(telegram, openTelegram));
registerChecks("every channel with a service", serviceChecks(telegram, openTelegram));
