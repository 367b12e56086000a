/** Numbered migrations: number n brings a database from `user_version` n-1 to n. A landed one is never edited. */
import { FIRST_SCHEMA } from "./0001-first.js";
import { SEALS_AND_SHOWN } from "./0002-seals-and-shown.js";
import { LAST_WORDS } from "./0003-last-words.js";
import { CONVERSATION } from "./0004-conversation.js";
import { BOUNDED } from "./0005-bounded.js";
import { NOTHING_RAW } from "./0006-nothing-raw.js";
import { SEALED_ROWS } from "./0007-sealed-rows.js";

export const MIGRATIONS: readonly string[] = [
  FIRST_SCHEMA,
  SEALS_AND_SHOWN,
  LAST_WORDS,
  CONVERSATION,
  BOUNDED,
  NOTHING_RAW,
  SEALED_ROWS,
];

/** The schema this program writes. A database with a higher number is left alone. */
export const SCHEMA_VERSION = MIGRATIONS.length;
