/** Matches the user's patterns without backtracking, because agents choose the texts. Pure. */

type GlobPiece = { readonly many: boolean; readonly matches: (character: string) => boolean };

/** `*`: any characters, `**`: across names too, `?`: one. None of them crosses a line; in a path `*` and `?` stay within a name. */
export function compileGlob(glob: string, of: "path" | "text"): (text: string) => boolean {
  const pieces = (glob.match(/\*\*|./gsu) ?? []).map((piece) => makePiece(piece, of));
  return (text) => {
    let reached = withSkipped(new Set([0]), pieces);
    for (const character of text) {
      reached = withSkipped(advance(reached, pieces, character), pieces);
      if (reached.size === 0) return false;
    }
    return reached.has(pieces.length);
  };
}

function makePiece(piece: string, of: "path" | "text"): GlobPiece {
  const inLine = (character: string): boolean => character !== "\n";
  const inName = (character: string): boolean => inLine(character) && (of === "text" || character !== "/");
  if (piece === "**") return { many: true, matches: inLine };
  if (piece === "*") return { many: true, matches: inName };
  return { many: false, matches: piece === "?" ? inName : (character) => character === piece };
}

/** The positions in the pattern that the text can have reached. */
function advance(reached: ReadonlySet<number>, pieces: readonly GlobPiece[], character: string): Set<number> {
  const next = new Set<number>();
  for (const at of reached) {
    const piece = pieces[at];
    if (piece?.matches(character)) next.add(piece.many ? at : at + 1);
  }
  return next;
}

/** A wildcard may match nothing. The loop also visits what it adds. */
function withSkipped(reached: Set<number>, pieces: readonly GlobPiece[]): Set<number> {
  for (const at of reached) if (pieces[at]?.many) reached.add(at + 1);
  return reached;
}
