/** The tools of the matrix. */
import { codexMatrix } from "./codex.js";
import type { MatrixTool } from "./matrix.js";

export const TABLES: readonly MatrixTool[] = [codexMatrix];
