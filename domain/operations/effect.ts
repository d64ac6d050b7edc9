/** The effect of an operation on the service's data; `destroy` may lose existing data. */
export type Effect = 'read' | 'write' | 'destroy';

/** The behaviour hints for MCP clients (MCP specification, ToolAnnotations). */
export type EffectHints = Readonly<{
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}>;

/** Returns the hints of an operation; `openWorldHint` is true unless it stays in the vault. */
export function hintsOf(effect: Effect, isIdempotent: boolean, isOpenWorld: boolean): EffectHints {
  return {
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'destroy',
    idempotentHint: effect === 'read' || isIdempotent,
    openWorldHint: isOpenWorld,
  };
}
