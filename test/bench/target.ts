import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import { succeeded } from '#domain/operations/outcome.ts';
import { serviceKeys } from '#domain/services/service-key.ts';
import { startMcpApp } from '#test/support/mcp-app.ts';
import { fakeCatalog } from '#test/support/mcp-catalog.ts';

/** What is measured: an app on loopback, with the headers that sign a client in. It runs in a process of its own. */
export async function startTarget(): Promise<
  Readonly<{ url: string; headers: Record<string, string>; close(): Promise<void> }>
> {
  const app = await startMcpApp({
    catalog: asManyAsPlanned(fakeCatalog),
    run: async () => succeeded('# Acme\n\nA note of two lines.'),
  });
  return { url: app.url, headers: { authorization: 'Bearer ann' }, close: app.close };
}

/** The contract plans 84 tools: as many, with input schemas of a usual size. */
function asManyAsPlanned({ operations }: OperationCatalog): OperationCatalog {
  const names = ['path', 'content', 'mode', 'limit', 'cursor', 'fields'];
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: 'string', description: `What the input ${name} means, in one sentence.` }]),
  );
  const more = Array.from({ length: 84 - operations.length }, (_, n) => {
    const service = serviceKeys[n % serviceKeys.length] ?? 'vault';
    return {
      service,
      name: `made.${n}`,
      tool: `${service}_made_tool_${n}`,
      title: `Made tool ${n}`,
      summary: 'Lists the records of one kind, newest first, a page at a time.',
      effect: 'read' as const,
      isIdempotent: true,
      isOpenWorld: true,
      inputSchema: { type: 'object' as const, properties, required: ['path'], additionalProperties: false },
      route: null,
      upload: null,
    };
  });
  return { operations: [...operations, ...more] };
}
