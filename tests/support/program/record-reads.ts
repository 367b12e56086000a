/** Records which fields of a program file are read one by one. Copying an object with all its fields reads none of them. */

export interface RecordedReads<T> {
  readonly value: T;
  /** Paths such as `modes.advance_commands.command`, without the indexes of lists. */
  readonly paths: ReadonlySet<string>;
}

export function recordReads<T extends object>(value: T): RecordedReads<T> {
  const paths = new Set<string>();
  return { value: watch(value, "", paths), paths };
}

function watch<T extends object>(value: T, place: string, paths: Set<string>): T {
  // A spread asks for a field's descriptor just before it takes the field.
  let copied: PropertyKey | null = null;
  return new Proxy(value, {
    getOwnPropertyDescriptor(target, key) {
      copied = key;
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    get(target, key, receiver) {
      const found: unknown = Reflect.get(target, key, receiver);
      const isCopied = copied === key;
      copied = null;
      if (typeof key === "symbol" || typeof found === "function") return found;
      const path = Array.isArray(target) ? place : place === "" ? key : `${place}.${key}`;
      if (!isCopied && !Array.isArray(target)) paths.add(path);
      return typeof found === "object" && found !== null ? watch(found, path, paths) : found;
    },
  });
}
