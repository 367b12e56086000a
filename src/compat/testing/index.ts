/**
 * `atlasbridge/sdk/testing`: what an adapter or a channel must do, as lists of checks for any test runner:
 * `for (const { name, run, skip } of adapterChecks(open)) test(name, { skip }, run)`.
 */
export type { ContractCheck } from "./check.js";
export type { AdapterBench } from "./adapter-bench.js";
export { adapterChecks, type AdapterLacks } from "./adapter-kit.js";
export { channelChecks, type ChannelBench } from "./channel-kit.js";
export { serviceChecks, type ServiceBench } from "./service-kit.js";
export { RecordingHost, type LogLine } from "./recording-host.js";
export { buttonsFor, CHOICES, freeTextNotice, promptNotice, textNotice } from "./notices.js";
export { findEventProblems, findReplyProblems, idempotencyChecks, newlineChecks } from "./prompt-rules.js";
