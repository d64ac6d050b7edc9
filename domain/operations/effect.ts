/** What an operation does to the service's data: `destroy` may lose what was there before. */
export type Effect = 'read' | 'write' | 'destroy';

/** The hints that MCP clients are shown (MCP specification, ToolAnnotations). */
export type EffectHints = Readonly<{
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}>;

/** The honest hints of an operation: it reaches a service of the outside world, so `openWorldHint` is true unless it stays in the vault. */
export function hintsOf(effect: Effect, isIdempotent: boolean, isOpenWorld: boolean): EffectHints {
  return {
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'destroy',
    idempotentHint: effect === 'read' || isIdempotent,
    openWorldHint: isOpenWorld,
  };
}
