/** The text that a terminal's output draws, with the place of every character in it: colours and moves may stand within a word. */

export interface PlainText {
  readonly text: string;
  /** Position in the output of each character of `text`. */
  readonly places: Uint32Array;
}

const ESCAPE = "\u001b";
/** Control sequences: parameters, intermediates, the letter that says what it does. */
const CSI = /\u001b\[[0-?]{0,256}[ -/]{0,16}([@-~])/y;
/** A title, a link, a report: what stands between its begin and its end is text, too. */
const STRING_START = /\u001b[\]PX^_]/y;
const STRING_END = /\u0007|\u001b\\/y;
const OTHER_ESCAPE = /\u001b[ -/]{0,16}[0-~]?/y;
/** Moves of the cursor: to another row, or along its row, which tools write instead of blanks. */
const TO_A_ROW = "HfABEFdST";
const ALONG_A_ROW = "CDG`a";

/** Of output as latin1. Rows are separated by line feeds, whatever drew them. */
export function toPlainText(output: string): PlainText {
  const text = Buffer.alloc(output.length);
  const places = new Uint32Array(output.length);
  let length = 0;
  for (let at = 0; at < output.length;) {
    const piece = readPiece(output, at);
    if (piece.stands !== "") {
      text[length] = piece.stands.charCodeAt(0);
      places[length++] = at;
    }
    at += piece.length;
  }
  return { text: text.toString("latin1", 0, length), places: places.subarray(0, length) };
}

/** One character or one sequence, and what it means for the text: itself, a blank, a new row, nothing. */
function readPiece(output: string, at: number): { length: number; stands: string } {
  const character = output[at] ?? "";
  if (character === ESCAPE) return readSequence(output, at);
  const isDrawn = character >= " " && character !== "\u007f";
  if (isDrawn) return { length: 1, stands: character };
  // The bell ends a title; a tab is a blank.
  return {
    length: 1,
    stands: character === "\n" || character === "\u0007" ? "\n" : character === "\t" ? " " : "",
  };
}

function readSequence(output: string, at: number): { length: number; stands: string } {
  const control = matchAt(CSI, output, at);
  if (control) {
    const letter = control[1] ?? "";
    const stands = TO_A_ROW.includes(letter) ? "\n" : ALONG_A_ROW.includes(letter) ? " " : "";
    return { length: control[0].length, stands };
  }
  const edge = matchAt(STRING_START, output, at) ?? matchAt(STRING_END, output, at);
  if (edge) return { length: edge[0].length, stands: "\n" };
  return { length: matchAt(OTHER_ESCAPE, output, at)?.[0].length ?? 1, stands: "" };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** A row's end, with borders and blanks on both sides: `│` is three bytes. */
const ROW_END = / {0,256}(?:\u00e2\u0094\u0082)?\n {0,256}(?:\u00e2\u0094\u0082)? {0,256}/g;

/** The same text with its rows put together: a tool may break a name at the edge of its box. */
export function withoutRowEnds({ text, places }: PlainText): PlainText {
  const kept: string[] = [];
  const keptPlaces = new Uint32Array(text.length);
  let length = 0;
  let from = 0;
  const keep = (until: number): void => {
    kept.push(text.slice(from, until));
    keptPlaces.set(places.subarray(from, until), length);
    length += until - from;
  };
  for (const end of text.matchAll(ROW_END)) {
    keep(end.index);
    from = end.index + end[0].length;
  }
  keep(text.length);
  return { text: kept.join(""), places: keptPlaces.subarray(0, length) };
}
