import { z } from 'zod';
import { projected } from '#adapters/services/answers/projection.ts';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import { fields, page, sorting } from '#adapters/services/sales-crm/inputs.ts';
import { pipelines } from '#adapters/services/sales-crm/operations/pipelines.ts';
import { manyPipelinesWithStages } from '#adapters/services/sales-crm/outputs.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

const recipe = recipesOver(pipelines);

const stage = z.looseObject({ id: z.number(), name: z.string(), pipeline_id: z.number() });
const pipeline = z.looseObject({ id: z.number() });

/** The maximum number of pages of stages read for one list, 500 stages each. */
const maxPages = 4;

/** The tool that lists pipelines with their stages (SALES-005). */
export const pipelineRecipes = {
  'pipelines.overview': recipe(
    'read',
    'Lists the pipelines that deals go through, each with its stages; paged. Deal tools accept their names',
    { ...sorting(['id', 'update_time', 'add_time']), ...page, fields },
    { tool: 'sales_crm_pipelines_list', output: manyPipelinesWithStages, route: { method: 'GET', path: '/pipelines' } },
    async (call, { fields: wanted, ...input }) => {
      const listed = await call('pipelines.list', input);
      const found = listed.ok ? z.array(pipeline).safeParse(listed.data) : null;
      if (!listed.ok || found?.success !== true) return listed;
      const stages: z.output<typeof stage>[] = [];
      let cursor: string | null = null;
      for (let read = 0; read < maxPages && found.data.length > 0; read += 1) {
        const answer: Outcome = await call('stages.list', { limit: 500, ...(cursor === null ? {} : { cursor }) });
        const some = answer.ok ? z.array(stage).safeParse(answer.data) : null;
        if (!answer.ok || some?.success !== true) {
          return { ...listed, warnings: [...(listed.warnings ?? []), 'The stages could not be read.'] };
        }
        stages.push(...some.data);
        cursor = answer.pagination?.next ?? null;
        if (cursor === null) break;
      }
      const data = found.data.map((one) => ({ ...one, stages: stagesOf(one.id, stages) }));
      return projected(manyPipelinesWithStages, { ...listed, data }, wanted);
    },
  ),
} as const;

/** Selects the returned members of a pipeline's stages. */
function stagesOf(id: number, stages: readonly z.output<typeof stage>[]) {
  return stages
    .filter(({ pipeline_id: of }) => of === id)
    .map((one) => ({
      id: one.id,
      name: one.name,
      order_nr: one['order_nr'],
      deal_probability: one['deal_probability'],
    }));
}
