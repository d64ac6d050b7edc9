import { z } from 'zod';
import { get, post } from '#adapters/services/requests/request-rows.ts';
import { fields, id, page, sorting } from '#adapters/services/sales-crm/inputs.ts';
import { manyPipelines } from '#adapters/services/sales-crm/outputs.ts';

/** The rows of pipelines and stages (SALES-005). */
export const pipelines = {
  'pipelines.list': get(
    '/api/v2/pipelines',
    'Lists the pipelines that deals go through; paged',
    { ...sorting(['id', 'update_time', 'add_time']), ...page, fields },
    { output: manyPipelines, page: 'cursor', local: ['fields'], route: null },
  ),
  'pipelines.create': post('/api/v2/pipelines', 'Creates a pipeline', {
    name: z.string().min(1).describe('Name of the pipeline'),
    is_deal_probability_enabled: z
      .boolean()
      .optional()
      .describe('Whether its deals have a probability; false by default'),
  }),
  'stages.list': get(
    '/api/v2/stages',
    'Lists the stages of pipelines, filtered by pipeline',
    {
      pipeline_id: z.int().min(1).optional().describe('Only stages of this pipeline'),
      ...sorting(['id', 'update_time', 'add_time', 'order_nr']),
      ...page,
      fields,
    },
    { page: 'cursor', local: ['fields'] },
  ),
  'stages.create': post('/api/v2/stages', 'Adds a stage to a pipeline', {
    name: z.string().min(1).describe('Name of the stage'),
    pipeline_id: id('pipeline'),
    deal_probability: z.int().min(0).max(100).optional().describe('Probability of success in percent at this stage'),
    is_deal_rot_enabled: z.boolean().optional().describe('Whether inactive deals in this stage become rotten'),
    days_to_rotten: z
      .int()
      .min(1)
      .optional()
      .describe('Days of inactivity until deals are rotten; with is_deal_rot_enabled'),
  }),
} as const;
