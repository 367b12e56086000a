/** The line that tells an editor where the JSON Schema of a written YAML file is. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findPackageRoot } from "../observe/package-root.js";

export function buildSchemaLine(kind: "adapter" | "config" | "program"): string {
  const schema = pathToFileURL(join(findPackageRoot(), "schemas", `${kind}.schema.json`));
  return `# yaml-language-server: $schema=${schema.href}\n`;
}
