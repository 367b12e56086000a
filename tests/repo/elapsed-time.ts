/**
 * Finds assertions on elapsed time: an `expect` on a value that comes from a clock. It follows values by names through variables,
 * properties and functions of the tests, not through functions of the program: these are given instants as any other input. It does not
 * see `new Date()`, which mostly writes a date into something else, nor a clock that is imported by its own name or read by a program that
 * a test starts. It does not see an `assert`, an `expect` by another name or a `throw` either, nor what a callback is given.
 */
import { dirname, join } from "node:path/posix";
import ts from "typescript";

const CLOCK =
  /\bperformance\.now\b|\bDate\.now\b|\bhrtime\b|\bcpuUsage\b|\bloadavg\b|\b(?:process|os)\.uptime\b/;
/** `expect.poll` and `expect.soft` judge as `expect` does. */
const EXPECT = /^expect(?:\.poll|\.soft)?$/;
const TESTS = "tests/";
/** Properties that other files know by their names alone: those of instants and durations. */
const TIME_NAME = /(?:^at|At|Ms|Us|Seconds|Time)$/;

/** What a file gives to those that import it: names of functions and values, and of properties, that hold a time. */
interface Timed {
  readonly names: ReadonlySet<string>;
  readonly properties: ReadonlySet<string>;
}

/** `file:line: text` of each assertion on elapsed time. `texts`: the files of the tests, by their paths. */
export function findElapsedTime(texts: ReadonlyMap<string, string>): string[] {
  const known = new Map<string, Timed>();
  const found = new Map<string, readonly string[]>();
  const waiting = [...texts].filter(([, text]) => CLOCK.test(text)).map(([file]) => file);
  const importers = listImporters(texts);
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const reading = new FileReading(file, texts.get(file) ?? "", known);
    found.set(file, reading.findAssertions());
    const before = known.get(file);
    const grown =
      reading.names.size > (before?.names.size ?? 0) ||
      reading.properties.size > (before?.properties.size ?? 0);
    known.set(file, reading);
    if (grown) waiting.push(...(importers.get(file) ?? []).filter((importer) => !waiting.includes(importer)));
  }
  return [...found.values()].flat().sort();
}

function listImporters(texts: ReadonlyMap<string, string>): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const [file, text] of texts)
    for (const [, path = ""] of text.matchAll(/from "(\.[^"]+)"/g)) {
      const imported = resolve(file, path);
      if (texts.has(imported)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  return importers;
}

function resolve(file: string, path: string): string {
  return join(dirname(file), path).replace(/\.js$/, ".ts");
}

class FileReading implements Timed {
  readonly names = new Set<string>();
  readonly properties = new Set<string>();
  readonly #file: string;
  readonly #source: ts.SourceFile;
  /** Functions of the program, which may be given a time as an argument. */
  readonly #ofProgram = new Set<string>();

  constructor(file: string, text: string, known: ReadonlyMap<string, Timed>) {
    this.#file = file;
    this.#source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    for (const statement of this.#source.statements)
      if (ts.isImportDeclaration(statement)) this.#readImport(statement, known);
    for (let size = -1; size !== this.names.size + this.properties.size;) {
      size = this.names.size + this.properties.size;
      this.#visit(this.#source, (node) => this.#readNode(node));
    }
  }

  findAssertions(): string[] {
    const found: string[] = [];
    this.#visit(this.#source, (node) => {
      if (!ts.isCallExpression(node) || !EXPECT.test(node.expression.getText())) return;
      const assertion = wholeAssertion(node);
      const values = [...node.arguments, ...(ts.isCallExpression(assertion) ? assertion.arguments : [])];
      if (!values.some((value) => this.#isTimed(value))) return;
      const { line } = this.#source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${this.#file}:${line + 1}: ${assertion.getText()}`);
    });
    return found;
  }

  #readImport(
    { moduleSpecifier, importClause }: ts.ImportDeclaration,
    known: ReadonlyMap<string, Timed>,
  ): void {
    const path = (moduleSpecifier as ts.StringLiteral).text;
    if (!path.startsWith(".")) return;
    const imported = resolve(this.#file, path);
    const bindings = importClause?.namedBindings;
    const names =
      bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : [];
    if (!imported.startsWith(TESTS)) names.forEach((name) => this.#ofProgram.add(name));
    const timed = known.get(imported);
    for (const name of names) if (timed?.names.has(name) === true) this.names.add(name);
    for (const name of timed?.properties ?? []) if (TIME_NAME.test(name)) this.properties.add(name);
  }

  #visit(node: ts.Node, read: (node: ts.Node) => void): void {
    read(node);
    ts.forEachChild(node, (child) => this.#visit(child, read));
  }

  #readNode(node: ts.Node): void {
    if (ts.isVariableDeclaration(node) || ts.isParameter(node)) this.#assign(node.name, node.initializer);
    else if (ts.isBindingElement(node)) this.#readBinding(node);
    else if (ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node))
      this.#addProperty(node.name, node.initializer);
    else if (ts.isBinaryExpression(node) && isAssignment(node)) this.#assign(node.left, node.right);
    else if (ts.isCallExpression(node)) this.#readPush(node);
    else if (ts.isReturnStatement(node)) this.#readResult(node, node.expression);
    else if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) this.#readResult(node.body, node.body);
  }

  #assign(target: ts.Node, value: ts.Expression | undefined): void {
    if (value === undefined || !this.#isTimed(value)) return;
    if (ts.isIdentifier(target)) this.names.add(target.text);
    else if (ts.isPropertyAccessExpression(target)) this.properties.add(target.name.text);
    else if (ts.isArrayBindingPattern(target) || ts.isObjectBindingPattern(target))
      for (const element of target.elements)
        if (ts.isBindingElement(element)) this.#assign(element.name, value);
  }

  /** `({ at }) => …` gives the property's time a name. */
  #readBinding({ propertyName, name, parent }: ts.BindingElement): void {
    if (ts.isObjectBindingPattern(parent) && this.properties.has((propertyName ?? name).getText()))
      if (ts.isIdentifier(name)) this.names.add(name.text);
  }

  #addProperty(name: ts.PropertyName, value: ts.Expression | undefined): void {
    if (value !== undefined && this.#isTimed(value)) this.properties.add(name.getText());
  }

  /** `times.push(now)` makes `times` hold times. */
  #readPush({ expression, arguments: values }: ts.CallExpression): void {
    if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== "push") return;
    if (!values.some((value) => this.#isTimed(value))) return;
    if (ts.isIdentifier(expression.expression)) this.names.add(expression.expression.text);
    if (ts.isPropertyAccessExpression(expression.expression))
      this.properties.add(expression.expression.name.text);
  }

  /** A function that returns a time holds one by its name. */
  #readResult(node: ts.Node, value: ts.Expression | undefined): void {
    if (value === undefined || !this.#isTimed(value)) return;
    const owner = ts.findAncestor(node, (each) => ts.isFunctionLike(each) && each !== node);
    if (owner === undefined) return;
    const named = ts.isVariableDeclaration(owner.parent) ? owner.parent : (owner as ts.SignatureDeclaration);
    if (named.name === undefined) return;
    if (ts.isMethodDeclaration(named) || ts.isGetAccessor(named)) this.properties.add(named.name.getText());
    else this.names.add(named.name.getText());
  }

  #isTimed(value: ts.Node): boolean {
    if (ts.isFunctionLike(value) && !ts.isArrowFunction(value)) return false;
    if (ts.isArrowFunction(value)) return !ts.isBlock(value.body) && this.#isTimed(value.body);
    if (ts.isIdentifier(value)) return this.names.has(value.text);
    // What holds a time among other things is none: its property is. Nor is a text that tells one.
    if (ts.isTypeNode(value) || ts.isObjectLiteralExpression(value) || ts.isTemplateExpression(value))
      return false;
    if (ts.isCallExpression(value)) return this.#isTimedCall(value);
    if (ts.isPropertyAccessExpression(value))
      return (
        CLOCK.test(value.getText()) || this.properties.has(value.name.text) || this.#isTimed(value.expression)
      );
    return ts.forEachChild(value, (child) => this.#isTimed(child) || undefined) ?? false;
  }

  #isTimedCall({ expression, arguments: values }: ts.CallExpression): boolean {
    if (ts.isIdentifier(expression) && this.#ofProgram.has(expression.text)) return false;
    // `list.at(-1)` is no property `at`.
    if (ts.isPropertyAccessExpression(expression) && expression.name.text === "at")
      return this.#isTimed(expression.expression);
    return this.#isTimed(expression) || values.some((value) => this.#isTimed(value));
  }
}

/** `expect(x).not.toBe(y)` of `expect(x)`. */
function wholeAssertion(call: ts.CallExpression): ts.Node {
  let node: ts.Node = call;
  while (
    ts.isPropertyAccessExpression(node.parent) ||
    (ts.isCallExpression(node.parent) && node.parent.expression === node)
  )
    node = node.parent;
  return node;
}

function isAssignment({ operatorToken }: ts.BinaryExpression): boolean {
  return (
    operatorToken.kind >= ts.SyntaxKind.FirstAssignment && operatorToken.kind <= ts.SyntaxKind.LastAssignment
  );
}
