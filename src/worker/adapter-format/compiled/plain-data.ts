type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** What a function makes of a part of an adapter file. Nobody changes it afterwards. */
export type Compiled<F extends (...parts: never[]) => unknown> = DeepReadonly<ReturnType<F>>;
