/** The channel contract holds for Telegram. */
import telegram from "../../../channels/telegram/index.js";
import { describeChannel, describeService } from "../channel-contract.js";
import { openTelegram } from "./telegram-bench.js";

describeChannel(telegram, openTelegram);
describeService(telegram, openTelegram);
