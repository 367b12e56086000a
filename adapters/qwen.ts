import type { AdapterCode } from "../src/sdk/adapter-code.js";

export const qwen: AdapterCode = {
  // It asks the questions of its model by requests for permission, beside the call that they are about.
  agentRequests: {
    readQuestions: ({ toolCall }) => readField(readField(toolCall, "_meta"), "qwenQuestions"),
  },
};

function readField(value: unknown, key: string): unknown {
  return value instanceof Object && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
