/** Reply markup as the service checks it. */
import type { Button } from "./chats.js";
import { badRequest } from "./refusal.js";

const CALLBACK_DATA_BYTES_MAX = 64;
const BUTTONS_MAX = 100;

export interface Markup {
  readonly buttons: readonly (readonly Button[])[];
  /** Another kind of markup than an inline keyboard: the message can never be edited. */
  readonly locked: boolean;
}

export function parseMarkup(value: unknown): Markup {
  const markup = typeof value === "string" ? parseJson(value) : value;
  if (markup === undefined || markup === null) return { buttons: [], locked: false };
  if (typeof markup !== "object") throw badRequest("object expected as reply markup");
  if (!("inline_keyboard" in markup)) return { buttons: [], locked: Object.keys(markup).length > 0 };
  const rows = requireArray(
    markup.inline_keyboard,
    'field "inline_keyboard" of the InlineKeyboardMarkup must be of type Array',
  );
  const buttons = rows.map((row) =>
    requireArray(row, "InlineKeyboardButton must be an Array of Arrays").map(parseButton),
  );
  if (buttons.flat().length > BUTTONS_MAX) throw badRequest("reply markup is too long");
  return { buttons: buttons.filter((row) => row.length > 0), locked: false };
}

function parseButton(value: unknown): Button {
  const { text, callback_data: data } = (value ?? {}) as Record<string, unknown>;
  if (typeof text !== "string" || text.trim() === "")
    throw badRequest('can\'t parse inline keyboard button: Field "text" must be of type String');
  if (typeof data !== "string")
    throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
  const bytes = Buffer.byteLength(data);
  if (bytes < 1 || bytes > CALLBACK_DATA_BYTES_MAX) throw badRequest("BUTTON_DATA_INVALID");
  return { text: text.trim(), data };
}

function requireArray(value: unknown, complaint: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw badRequest(complaint);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("can't parse reply keyboard markup JSON object");
  }
}
