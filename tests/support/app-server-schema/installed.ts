import { codex } from "../real-cli/codex.js";
import { makeWorkspace } from "../real-cli/workspace.js";
import { makeExcerpt, type Excerpt } from "./excerpt.js";

/** Errors: it cannot be had here. */
export async function installedExcerpt(): Promise<Excerpt> {
  const installed = await codex.install();
  if (!installed.ok) throw new Error(installed.reason);
  const workspace = makeWorkspace();
  try {
    const setting = { modules: installed.modules, modelUrl: "http://127.0.0.1:9", workspace };
    const { file, env } = codex.prepare(setting, {});
    return makeExcerpt(file, codex.version, env);
  } finally {
    await workspace.dispose();
  }
}
