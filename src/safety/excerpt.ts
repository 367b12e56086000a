/** Adapter spec §3.3: an excerpt is at most 200 bytes of UTF-8. */
export const EXCERPT_BYTES_MAX = 200;
export const ELLIPSIS = "…";
const ELLIPSIS_BYTES = Buffer.byteLength(ELLIPSIS);

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** At most `bytesMax` bytes including `…`, cut between graphemes. */
export function makeExcerpt(text: string, bytesMax: number = EXCERPT_BYTES_MAX): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  let kept = "";
  let bytes = ELLIPSIS_BYTES;
  // A grapheme has at least one byte, so no more than bytesMax of them can fit.
  for (const { segment } of graphemes.segment(text.slice(0, bytesMax * 2))) {
    bytes += Buffer.byteLength(segment);
    if (bytes > bytesMax) break;
    kept += segment;
  }
  return kept + ELLIPSIS;
}
