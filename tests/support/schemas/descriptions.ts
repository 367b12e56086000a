/** What editors show of a key: the comment above it in the code, or beside it in the example. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";

type Comments = ReadonlyMap<string, string>;

/** The comments of the keys of an object schema of that folder. An object is known by its keys; those of its twins are not mixed. */
export function commentsOfKeys(folder: string): (keys: readonly string[]) => Comments {
  const literals = readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => objectLiterals(join(folder, file)));
  const byKeys = new Map<string, Comments[]>();
  for (const literal of literals) {
    const comments = commentsIn(literal);
    const id = readId([...comments.keys()]);
    byKeys.set(id, [...(byKeys.get(id) ?? []), comments]);
  }
  return (keys) => {
    const [only, twin] = byKeys.get(readId(keys)) ?? [];
    return new Map([...(twin ? [] : (only ?? []))].filter(([, comment]) => comment !== ""));
  };
}

function readId(keys: readonly string[]): string {
  return [...keys].sort().join();
}

function objectLiterals(file: string): ts.ObjectLiteralExpression[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found: ts.ObjectLiteralExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node) && !isData(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Values written out: no schema, though its keys may be those of one. */
function isData(literal: ts.ObjectLiteralExpression): boolean {
  return literal.properties.every(
    (property) =>
      ts.isPropertyAssignment(property) &&
      (ts.isArrayLiteralExpression(property.initializer) || ts.isLiteralExpression(property.initializer)),
  );
}

/** Keys that another literal of the file brings along (`...common`) are among them. */
function commentsIn(literal: ts.ObjectLiteralExpression): Comments {
  return new Map(
    literal.properties.flatMap((property): [string, string][] => {
      if (ts.isSpreadAssignment(property)) return spread(property.expression);
      return [[property.name.getText(), readComment(property)]];
    }),
  );
}

function spread(expression: ts.Expression): [string, string][] {
  const constant = expression
    .getSourceFile()
    .statements.filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .find(({ name }) => name.getText() === expression.getText())?.initializer;
  return constant && ts.isObjectLiteralExpression(constant) ? [...commentsIn(constant)] : [];
}

function readComment(property: ts.ObjectLiteralElementLike): string {
  const [comment] = ts.getJSDocCommentsAndTags(property).slice(-1);
  const text = comment && ts.isJSDoc(comment) ? ts.getTextOfJSDocComment(comment.comment) : "";
  return (text ?? "").replace(/\s+/g, " ").trim();
}

/** In the example, a comment beside a key goes on below itself; one above a key stands at the key's own indent. */
const CONTINUED_FROM_COLUMN = 20;

export function commentsOfExample(text: string): readonly (readonly [keys: string[], comment: string])[] {
  const found: [string[], string][] = [];
  let above: string[] = [];
  let path: { readonly indent: number; readonly key: string }[] = [];
  for (const row of text.split("\n")) {
    const { 1: before = "", 2: comment } = /^(.*?)(?:(?<=^|\s)# ?(.*))?$/.exec(row) ?? [];
    const { 1: indent = "", 2: key } = /^([ -]*)(\w+):/.exec(before) ?? [];
    if (key !== undefined) {
      path = [...path.filter((each) => each.indent < indent.length), { indent: indent.length, key }];
      const words = [...above, ...(comment === undefined ? [] : [comment])].join(" ");
      found.push([path.map((each) => each.key), words]);
      above = [];
    } else if (comment === undefined) above = [];
    else if (before.length >= CONTINUED_FROM_COLUMN) extend(found, comment);
    else above.push(comment);
  }
  return found.map(([keys, comment]) => [keys, comment.replace(/ ?\(example\)$/, "")] as const);
}

function extend(found: [string[], string][], comment: string): void {
  const last = found.at(-1);
  if (last) last[1] += ` ${comment}`;
}
