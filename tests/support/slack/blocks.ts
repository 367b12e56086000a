/** Block Kit with the limits of the service. Blocks that we never send are refused as unknown. */
import { Spot } from "./check.js";
import { checkButton, checkInputElement } from "./elements.js";
import { isJson, type Json } from "./json.js";
import { Refusal } from "./refusal.js";
import { checkRichText } from "./rich-text.js";

const MESSAGE_BLOCKS_MAX = 50;
const VIEW_BLOCKS_MAX = 100;
/** Not documented; the service refuses more text than this in all blocks of a message together. */
const MESSAGE_TEXT_MAX = 13_200;
const BLOCK_ID_MAX = 255;

type Surface = "message" | "modal" | "home";

/** Blocks of a message. Refuses with invalid_blocks, or msg_blocks_too_long. */
export function checkMessageBlocks(value: unknown): readonly Json[] {
  if (!Array.isArray(value)) throw new Refusal("invalid_blocks_format");
  const blocks = new Spot(value, "/blocks", "invalid_blocks").items(1, MESSAGE_BLOCKS_MAX);
  checkAll(blocks, "message");
  if (measureLength(value) > MESSAGE_TEXT_MAX) throw new Refusal("msg_blocks_too_long");
  return blocks.map(({ json }) => json);
}

/** A modal or a home tab. Refuses with invalid_arguments, as the views methods do. */
export function checkView(value: unknown): Json {
  const view = new Spot(value, "/view", "invalid_arguments");
  if (view.type !== "modal" && view.type !== "home") view.in("type").fail("must be a valid enum value");
  const modal = view.type === "modal";
  if (modal) {
    view.only(
      "type",
      "title",
      "blocks",
      "close",
      "submit",
      "private_metadata",
      "callback_id",
      "notify_on_close",
    );
    view.in("title").textObject(24);
    for (const key of ["close", "submit"]) if (view.has(key)) view.in(key).textObject(24);
  } else view.only("type", "blocks", "private_metadata", "callback_id");
  if (view.has("private_metadata")) view.in("private_metadata").string(3000);
  if (view.has("callback_id")) view.in("callback_id").string(255);
  const blocks = view.in("blocks").items(0, VIEW_BLOCKS_MAX);
  checkAll(blocks, modal ? "modal" : "home");
  if (blocks.some(({ type }) => type === "input") && !view.has("submit"))
    view.fail("missing required field: submit");
  return view.json;
}

function checkAll(blocks: readonly Spot[], surface: Surface): void {
  const actions = new Set<string>();
  const ids = new Set<string>();
  for (const block of blocks) {
    if (block.has("block_id")) {
      const id = block.in("block_id").string(BLOCK_ID_MAX);
      if (ids.has(id)) block.in("block_id").fail(`duplicate block_id: ${id}`);
      ids.add(id);
    }
    checkBlock(block, surface, actions);
  }
}

function checkBlock(block: Spot, surface: Surface, actions: Set<string>): void {
  switch (block.type) {
    case "rich_text":
      checkRichText(block);
      return;
    case "header":
      block.only("type", "block_id", "text");
      block.in("text").textObject(150);
      return;
    case "context":
      block.only("type", "block_id", "elements");
      for (const item of block.in("elements").items(1, 10)) item.textObject(2000, ["plain_text", "mrkdwn"]);
      return;
    case "actions":
      block.only("type", "block_id", "elements");
      for (const element of block.in("elements").items(1, 25)) {
        if (element.type !== "button") element.fail(`unsupported type: ${element.type}`);
        checkButton(element, actions);
      }
      return;
    case "input":
      if (surface !== "modal") block.fail(`unsupported type: ${block.type}`);
      block.only("type", "block_id", "label", "element", "hint", "optional", "dispatch_action");
      block.in("label").textObject(2000);
      if (block.has("hint")) block.in("hint").textObject(2000);
      checkInputElement(block.in("element"), actions);
      return;
    default:
      block.fail(`unsupported type: ${block.type}`);
  }
}

/** All texts in it together. */
function measureLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + measureLength(item), 0);
  if (!isJson(value)) return 0;
  const own = typeof value["text"] === "string" ? value["text"].length : 0;
  return own + Object.values(value).reduce<number>((sum, item) => sum + measureLength(item), 0);
}
