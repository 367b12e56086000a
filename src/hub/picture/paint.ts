/** A screen as a PNG file, by a renderer that an installation may do without: then there is no picture, and text is sent. */
import { join } from "node:path";
import type { ScreenCells } from "../../sdk/view.js";
import { FONT_FAMILY, svgOf } from "./svg.js";

/** The picture of a screen with its secrets covered; null where none can be made. */
export type PaintScreen = (screen: ScreenCells) => Promise<Uint8Array | null>;

const FONTS = ["DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"];
/** What our font has none of: scripts of East Asia and beyond, pictographs. Looking through the system's fonts costs a moment. */
const BEYOND =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Devanagari}\p{Script=Thai}\p{Script=Hebrew}\p{Script=Bengali}\p{Extended_Pictographic}]/u;

/** `fonts`: the folder that holds the package's own. */
export function screenPainter(fonts: string): PaintScreen {
  return async (screen) => {
    const renderer = await import("@resvg/resvg-js").catch(() => null);
    if (!renderer) return null;
    const svg = svgOf(screen);
    const image = await renderer.renderAsync(svg, {
      font: {
        fontFiles: FONTS.map((file) => join(fonts, file)),
        loadSystemFonts: BEYOND.test(svg),
        defaultFontFamily: FONT_FAMILY,
      },
    });
    return image.asPng();
  };
}
