/** The local terminal needs no configuration. */
import * as v from "valibot";

export const cliSchema = v.strictObject({});

export type CliConfig = Readonly<Record<string, never>>;
