/** One contract: delivers, settles twice and after a restart, brings taps and replies home, stores before it moves on, speaks no token. */
import telegram from "../../../channels/telegram/index.js";
import { describeChannel, describeService } from "../channel-contract.js";
import { openTelegram } from "./telegram-bench.js";

describeChannel(telegram, openTelegram);
describeService(telegram, openTelegram);
