/** Rich text: the only text of a message in which nothing is markup. Pieces that we never send are refused as unknown. */
import type { Spot } from "./check.js";

export function checkRichText(block: Spot): void {
  block.only("type", "block_id", "elements");
  for (const part of block.in("elements").items(1, 500)) checkPart(part);
}

function checkPart(part: Spot): void {
  switch (part.type) {
    case "rich_text_section":
      part.only("type", "elements");
      break;
    case "rich_text_preformatted":
    case "rich_text_quote":
      part.only("type", "elements", "border");
      break;
    default:
      part.fail(`unsupported type: ${part.type}`);
  }
  const plain = part.type === "rich_text_preformatted";
  for (const element of part.in("elements").items(1, 1000)) checkElement(element, plain);
}

function checkElement(element: Spot, plain: boolean): void {
  if (plain && element.type !== "text" && element.type !== "link")
    element.fail(`unsupported type: ${element.type}`);
  switch (element.type) {
    case "text":
      element.only("type", "text", "style");
      element.in("text").string(12_000);
      break;
    case "link":
      element.only("type", "url", "text", "style", "unsafe");
      if (!/^https?:\/\//.test(element.in("url").string(3000))) element.in("url").fail("invalid url");
      if (element.has("text")) element.in("text").string(3000);
      break;
    case "user":
      element.only("type", "user_id", "style");
      if (!/^[UW][A-Z0-9]{2,20}$/.test(element.in("user_id").string(32)))
        element.in("user_id").fail("invalid user_id");
      break;
    default:
      element.fail(`unsupported type: ${element.type}`);
  }
  if (element.has("style")) checkStyle(element.in("style"));
}

function checkStyle(style: Spot): void {
  style.only("bold", "italic", "strike", "code", "underline");
  for (const key of Object.keys(style.json)) style.in(key).boolean();
}
