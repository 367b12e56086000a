import { codexMatrix } from "./codex.js";
import { copilotMatrix } from "./copilot.js";
import { geminiMatrix } from "./gemini.js";
import type { MatrixTool } from "./matrix.js";
import { opencodeMatrix } from "./opencode.js";
import { qwenMatrix } from "./qwen.js";

export const TABLES: readonly MatrixTool[] = [
  codexMatrix,
  geminiMatrix,
  qwenMatrix,
  opencodeMatrix,
  copilotMatrix,
];
