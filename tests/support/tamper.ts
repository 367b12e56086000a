/** What somebody does to the ledger who may write to its file. */
import Database from "better-sqlite3";

/** The triggers that keep the audit as it is do not stop whoever can take them away. */
export function tamper(path: string, change: string | ((database: Database.Database) => void)): void {
  const database = new Database(path);
  database.exec("DROP TRIGGER audit_rows_never_change; DROP TRIGGER audit_rows_never_go;");
  if (typeof change === "string") database.exec(change);
  else change(database);
  database.close();
}
