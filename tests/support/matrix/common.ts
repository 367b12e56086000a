/** What the models of several tools ask for in the same way, and what is seen of it. */
import { says, told, wrote } from "./effects.js";
import type { Effect, MatrixChoice } from "./matrix.js";

export const FILE = "hello.txt";
export const wroteFile: Effect = wrote(FILE, "Continue? (y/n)");
export const deployed: Effect = says("deployed");

export const option = (label: string, description: string): object => ({ label, description });

export const DATABASE = {
  header: "Database",
  question: "Which database should we use?",
  options: [option("PostgreSQL", "Relational"), option("SQLite", "Embedded"), option("MongoDB", "Documents")],
};

/** A row whose label is what the model is told. */
export const answer = (label: string): MatrixChoice => ({ label, effect: told(label) });
