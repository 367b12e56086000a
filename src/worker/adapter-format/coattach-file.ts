/**
 * The `coattach:` section of an adapter file: how AtlasBridge attaches to a tool that runs in its terminal, by a protocol of the
 * tool's own (ADR 24). The protocols are code (`worker/integrations/`).
 */
import * as v from "valibot";
import { isVersionRange } from "../../model/data/version-range.js";
import { line } from "./file-parts.js";
import { args } from "./placeholders.js";
import { drawn, optionShapes } from "./hooks-file.js";

const common = {
  /** The versions that AtlasBridge attaches to. Any other version is only watched on its screen. */
  versions: v.pipe(v.string(), v.check(isVersionRange, "expected comparisons such as >=0.169 <1")),
  /** Options that are followed by values, as in `hooks`. */
  options: optionShapes,
  /** Arguments with which there is no server to attach to, or with which it is another program. */
  not_with: v.optional(v.array(line), []),
};

/** Its terminal interface is a client of a server of threads. */
const appServer = v.strictObject({
  ...common,
  /** The protocol: a server of threads, over WebSocket on a Unix socket. */
  speaks: v.literal("app_server"),
  /**
   * Where the server listens: WebSocket over a Unix socket. `~/` is the home, `$NAME/` the folder that a variable names; the first
   * counts whose variable is set.
   */
  socket: v.pipe(
    v.array(v.pipe(line, v.regex(/^(?:~|\$[A-Z][A-Z0-9_]*)\//, "expected ~/… or $NAME/…"))),
    v.minLength(1),
  ),
  /** How the dialogs of its requests are known again on the screen; field `command` or `edits`, as in `hooks`. */
  drawn: v.optional(
    v.strictObject({
      /** For commands: the field is `{command}`. */
      command: v.optional(drawn),
      /** For changes to files: the field is `{edits}`. */
      edits: v.optional(drawn),
    }),
    {},
  ),
});

/** Its terminal interface has a server of sessions in it, over HTTP on the loopback. */
const sessionServer = v.strictObject({
  ...common,
  /** The protocol: a server of sessions in the interface itself, over HTTP on the loopback. */
  speaks: v.literal("session_server"),
  /** Arguments with which the server listens on the loopback, at a port of its own choice: it is found by the process that has it. */
  args: v.pipe(args, v.minLength(1)),
  /** How the dialogs of some permissions are known again on the screen, by the permissions' names; fields as its calls have them. */
  drawn: v.optional(v.record(line, drawn), {}),
});

export const coattachSection = v.variant("speaks", [appServer, sessionServer]);

export type CoattachSection = v.InferOutput<typeof coattachSection>;
