import { z } from 'zod';
import { everyTool, includesService } from '#adapters/mcp/protocol/tool-choice.ts';
import { toolResult } from '#adapters/mcp/results/tool-result.ts';
import { checking } from '#adapters/mcp/tools/checked-tool.ts';
import { limitOf } from '#adapters/mcp/tools/result-budget.ts';
import type { Tool } from '#adapters/mcp/tools/tool.ts';
import type { SearchWorkspace } from '#application/workspace/search-workspace.ts';
import { hintsOf } from '#domain/operations/effect.ts';
import { succeeded } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { jsonSchemaOf, listedSchemaOf } from '#infrastructure/json-schema/tool-schema.ts';

/** The tool that searches all services at once. `services` are those of this server that can be searched. */
export function workspaceSearch(
  search: Pick<SearchWorkspace, 'run'>,
  { services, connectUrl }: Readonly<{ services: readonly ServiceKey[]; connectUrl: string }>,
): Tool {
  const inputs = z.strictObject({
    query: z.string().trim().min(1).max(100).describe('Words, a name or an e-mail address'),
    services: z.array(z.enum(services)).min(1).optional().describe('Only these; all by default'),
    limit: z.int().min(1).max(50).default(20).describe('Maximum number of hits'),
  });
  return checking(inputs, {
    name: 'workspace_search',
    title: 'Search all services',
    description:
      'Searches all services at once, best matches first, with links and ids; `unanswered` names what did not answer',
    listedSchema: listedSchemaOf(jsonSchemaOf(inputs)),
    annotations: hintsOf('read', true, true),
    service: null,
    needsService: true,
    run: async (user, { query, services: chosen, limit }, call) => {
      const { signal, choice = everyTool } = call;
      const isOpen = (service: ServiceKey) => includesService(choice, service);
      const found = await search.run(user, { query, services: chosen ?? null, limit, isOpen, signal });
      const outcome = found.ok ? succeeded(found.value) : found.failure;
      return toolResult(outcome, { connectUrl, limit: limitOf(call, () => 'limit') });
    },
  });
}
