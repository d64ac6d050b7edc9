import { z } from 'zod';
import { everyTool, includesService } from '#adapters/mcp/protocol/tool-choice.ts';
import { toolResult } from '#adapters/mcp/results/tool-result.ts';
import { checking } from '#adapters/mcp/tools/checked-tool.ts';
import { limitOf } from '#adapters/mcp/tools/result-budget.ts';
import type { Tool } from '#adapters/mcp/tools/tool.ts';
import type { BriefWorkspace } from '#application/workspace/brief-workspace.ts';
import { hintsOf } from '#domain/operations/effect.ts';
import { succeeded } from '#domain/operations/outcome.ts';
import { jsonSchemaOf, listedSchemaOf } from '#infrastructure/json-schema/tool-schema.ts';

const inputs = z.strictObject({
  about: z.string().trim().min(1).max(200).describe('Name, e-mail address, domain, id, or exactly sales_crm/deal/41'),
});

/** The tool that gathers what all services know of a company, a person or a deal. */
export function workspaceBrief(brief: Pick<BriefWorkspace, 'run'>, connectUrl: string): Tool {
  return checking(inputs, {
    name: 'workspace_brief',
    title: 'Brief on a customer or deal',
    description:
      'What all services know of a company, person or deal, with sources: records, deals, activities, contracts, issues, notes',
    listedSchema: listedSchemaOf(jsonSchemaOf(inputs)),
    annotations: hintsOf('read', true, true),
    service: null,
    needsService: true,
    run: async (user, { about }, call) => {
      const { signal, choice = everyTool } = call;
      const text = await brief.run(user, { about, signal, isOpen: (service) => includesService(choice, service) });
      return toolResult(text.ok ? succeeded(text.value) : text.failure, { connectUrl, limit: limitOf(call) });
    },
  });
}
