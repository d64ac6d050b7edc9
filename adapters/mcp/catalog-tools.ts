import type { Tool } from '#adapters/mcp/tool.ts';
import { toolResult } from '#adapters/mcp/tool-result.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { OperationCall } from '#application/ports/service-gateway.ts';
import { hintsOf } from '#domain/operations/effect.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import type { User } from '#domain/users/user.ts';

/** Carries out an operation for a user, permission included (application, RunOperation). */
export type RunOperationFor = (user: User, call: Omit<OperationCall, 'userId'>) => Promise<Outcome>;

/** The operations that have a tool name, as tools, in the order of the catalog. */
export function catalogTools(catalog: OperationCatalog, run: RunOperationFor): readonly Tool[] {
  return catalog.operations.flatMap((operation) => {
    const { tool, title, summary, inputSchema, service, name, effect, isIdempotent, isOpenWorld } = operation;
    if (tool === null) return [];
    return {
      name: tool,
      title,
      description: summary,
      inputSchema,
      annotations: hintsOf(effect, isIdempotent, isOpenWorld),
      service,
      run: async (user, input, { signal, onProgress }) => {
        const told = onProgress === undefined ? {} : { onProgress };
        return toolResult(await run(user, { service, name, input, signal, ...told }));
      },
    };
  });
}
