/** Finds scenarios: the checkout's and the user's own, or one by its file or id. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readDraft, listScenarioFiles } from "../../prompt-lab/find-scenarios.js";
import type { Draft } from "../../prompt-lab/scenario.js";
import type { Paths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { findNearest } from "../model/data/nearest.js";
import { findPackageRoot } from "../observe/package-root.js";

/** The corpus belongs to the checkout; an installed package does not contain it. */
export function getCorpusFolder(): string {
  return join(findPackageRoot(), "prompt-lab", "scenarios");
}

/** The existing folders: the corpus, and the user's. */
export function listScenarioFolders({ scenariosDir }: Pick<Paths, "scenariosDir">): readonly string[] {
  return [getCorpusFolder(), scenariosDir].filter(existsSync);
}

/** Errors: ATB_USAGE if there is none. */
export function requireOwnScenarios(paths: Pick<Paths, "scenariosDir">): readonly string[] {
  const folders = listScenarioFolders(paths);
  if (folders.length > 0) return folders;
  throw new AtlasBridgeError("ATB_USAGE", "this installation contains no scenarios", {
    hint: "Give the path of a scenario or of a folder of scenarios.",
  });
}

/** By path, or by id among one's own. Errors: ATB_USAGE (no such scenario), ATB_SCENARIO_INVALID. */
export function findDraft(fileOrId: string, paths: Pick<Paths, "scenariosDir">): Draft {
  if (existsSync(fileOrId)) return readDraft(fileOrId);
  const ids = new Map(
    requireOwnScenarios(paths)
      .flatMap(listScenarioFiles)
      .map((file) => [readId(file), file]),
  );
  const file = ids.get(fileOrId);
  if (file !== undefined) return readDraft(file);
  const meant = findNearest(
    fileOrId,
    [...ids.keys()].filter((id) => id !== null),
  );
  throw new AtlasBridgeError("ATB_USAGE", `no scenario has the path or the id "${fileOrId}"`, {
    hint: meant === null ? "`atlasbridge lab run` lists the ids." : `Did you mean "${meant}"?`,
  });
}

/** Null if it is not a scenario; the error is reported when that file is read. */
function readId(file: string): string | null {
  try {
    const { scenario_id: id } = JSON.parse(readFileSync(file, "utf8")) as { scenario_id?: unknown };
    return typeof id === "string" ? id : null;
  } catch {
    return null;
  }
}
