import { z } from 'zod';
import { del, get, post, put } from '#adapters/services/requests/request-rows.ts';
import { date, fields } from '#adapters/services/sales-crm/inputs.ts';
import { manyGoals } from '#adapters/services/sales-crm/outputs.ts';

const goalId = z.string().min(1).describe('Id of the goal');
const assigneeTypes = ['person', 'company', 'team'] as const;
const typeNames = [
  'deals_won',
  'deals_progressed',
  'activities_completed',
  'activities_added',
  'deals_started',
] as const;
const metrics = ['quantity', 'sum'] as const;

const title = z.string().min(1).optional().describe('Title of the goal');
const assignee = z
  .strictObject({ id: z.int().min(1), type: z.enum(assigneeTypes) })
  .describe('Whose goal it is, such as {"id": 1, "type": "person"}');
const type = z
  .strictObject({
    name: z.enum([...typeNames, 'revenue_forecast']),
    params: z
      .strictObject({
        pipeline_id: z.array(z.int().min(1)).nullable().optional().describe('Pipelines; null for all'),
        stage_id: z.int().min(1).optional().describe('Stage; only with deals_progressed'),
        activity_type_id: z.array(z.int().min(1)).nullable().optional().describe('Types of activities; null for all'),
      })
      .optional(),
  })
  .describe('What is counted, such as {"name": "deals_started", "params": {"pipeline_id": [1, 2]}}');
const expectedOutcome = z
  .strictObject({
    target: z.number(),
    tracking_metric: z.enum(metrics),
    currency_id: z.int().min(1).optional().describe('Only with tracking_metric sum'),
  })
  .describe('Target, such as {"target": 50, "tracking_metric": "quantity"}');
const duration = z
  .strictObject({ start: date('First day'), end: date('Last day; null for no end').nullable() })
  .describe('Period, such as {"start": "2026-01-01", "end": "2026-12-31"}');
const interval = z.enum(['weekly', 'monthly', 'quarterly', 'yearly']).describe('How often it restarts');

/** The rows of goals (SALES-010). The provider searches goals at another path, and cannot get a single one. */
export const goals = {
  'goals.list': get(
    '/v1/goals',
    'Lists goals, filtered by type, title, assignee, outcome or period. Not paged, without progress',
    {
      'type.name': z.enum(typeNames).optional().describe('Of this type'),
      title: z.string().min(1).optional().describe('With this title'),
      is_active: z.boolean().optional().describe('Default true'),
      'assignee.id': z.int().min(1).optional().describe('Of this user; your own when nothing is given'),
      'assignee.type': z.enum(assigneeTypes).optional().describe('Of a person, the company or a team'),
      'expected_outcome.target': z.number().optional().describe('With this target'),
      'expected_outcome.tracking_metric': z.enum(metrics).optional().describe('Tracked by number or sum'),
      'expected_outcome.currency_id': z.int().min(1).optional().describe('In this currency; with sum'),
      'type.params.pipeline_id': z.array(z.int().min(1)).min(1).optional().describe('For these pipelines'),
      'type.params.stage_id': z.int().min(1).optional().describe('For this stage; with deals_progressed'),
      'type.params.activity_type_id': z
        .array(z.int().min(1))
        .min(1)
        .optional()
        .describe('For these types of activities'),
      'period.start': date('First day of the period').optional(),
      'period.end': date('Last day of the period').optional(),
      fields,
    },
    {
      tool: 'sales_crm_goals_list',
      output: manyGoals,
      local: ['fields'],
      repeat: ['type.params.pipeline_id', 'type.params.activity_type_id'],
    },
  ),
  'goals.create': post('/v1/goals', 'Creates a goal', {
    title,
    assignee,
    type,
    expected_outcome: expectedOutcome,
    duration,
    interval,
  }),
  'goals.get': get('/v1/goals/{id}', 'Gets a goal by its id', { id: goalId }),
  'goals.update': put('/v1/goals/{id}', 'Updates a goal; omitted inputs keep their values', {
    id: goalId,
    title,
    assignee: assignee.optional(),
    type: type.optional(),
    expected_outcome: expectedOutcome.optional(),
    duration: duration.optional(),
    interval: interval.optional(),
  }),
  'goals.delete': del('/v1/goals/{id}', 'Deletes a goal', { id: goalId }),
  'goals.results': get('/v1/goals/{id}/results', 'Gets the progress of a goal in a period', {
    id: goalId,
    'period.start': date('First day of the period, not before the goal begins'),
    'period.end': date('Last day of the period, not after the goal ends'),
  }),
} as const;
