/** The loaded `hooks:` section of an adapter: plain data, as all of a `CompiledAdapter`. */
import type { compileCall, compileEvent, compileHooks } from "./compile-hooks.js";
import type { Compiled } from "./plain-data.js";

export type CompiledHooks = Compiled<typeof compileHooks>;
export type HookEvent = Compiled<typeof compileEvent>;
export type HookCallRule = Compiled<typeof compileCall>;
/** Paths of an observed call's fields, from the outside in. */
export type PreviewedCall = NonNullable<HookEvent["preview"]>;
export type { DrawnTest, SettingsPlace } from "./compile-hooks.js";
