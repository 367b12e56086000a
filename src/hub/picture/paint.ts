/** Renders a screen as a PNG file. The renderer is optional; without it, the screen is sent as text. */
import { join } from "node:path";
import type { ScreenCells } from "../../sdk/view.js";
import { FONT_FAMILY, renderSvg } from "./svg.js";

/** Returns the picture of a screen with its secrets masked; null if none can be made. */
export type PaintScreen = (screen: ScreenCells) => Promise<Uint8Array | null>;

const FONTS = ["DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"];
/** Characters missing in our font. Searching the system's fonts takes time, so it happens only for these. */
const BEYOND =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Devanagari}\p{Script=Thai}\p{Script=Hebrew}\p{Script=Bengali}\p{Extended_Pictographic}]/u;

/** `fonts`: the folder with the package's fonts. */
export function createScreenPainter(fonts: string): PaintScreen {
  return async (screen) => {
    const renderer = await import("@resvg/resvg-js").catch(() => null);
    if (!renderer) return null;
    const svg = renderSvg(screen);
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
