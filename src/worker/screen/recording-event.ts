/** One event of a terminal recording; `t_ms` counts from its start, in order. */
export type RecordingEvent =
  | { readonly t_ms: number; readonly data_b64: string }
  | { readonly t_ms: number; readonly resize: readonly [cols: number, rows: number] }
  | { readonly t_ms: number; readonly input_b64: string };
