/** How an editor finds the JSON Schema of a YAML file that we write. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../observe/package-root.js";

/** The file's first line: where the schema is in this installation, whatever folder the file lies in. */
export function schemaLine(kind: "adapter" | "config"): string {
  const schema = pathToFileURL(join(packageRoot(), "schemas", `${kind}.schema.json`));
  return `# yaml-language-server: $schema=${schema.href}\n`;
}
