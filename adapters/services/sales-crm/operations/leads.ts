import { z } from 'zod';
import { del, get, patch, post } from '#adapters/services/requests/request-rows.ts';
import {
  byName,
  clearable,
  customFieldKey,
  customFields,
  customFieldsBeside,
  date,
  fields,
  id,
  leadId,
  namedInputs,
  page,
  updatedBetween,
} from '#adapters/services/sales-crm/inputs.ts';
import { manyLeads, oneConversion, oneLead } from '#adapters/services/sales-crm/outputs.ts';
import { whenGiven } from '#domain/operations/effect.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

const value = z
  .strictObject({ amount: z.number(), currency: z.string().min(1) })
  .nullable()
  .optional()
  .describe('Estimated value, such as {"amount": 200, "currency": "EUR"}');

const names = { owner: byName.owner, person: byName.person, org: byName.org };
const named = {
  owner: namedInputs.owner,
  person: namedInputs.person,
  org: { kind: 'organization', fills: 'organization_id' },
} as const;

const shared = {
  ...names,
  owner_id: id('user who owns the lead').optional(),
  label_ids: z.array(z.string().min(1)).optional().describe('Ids of its labels, UUIDs'),
  value,
  visible_to: z
    .enum(['1', '3', '5', '7'])
    .optional()
    .describe('Who sees it: 1 owner, 3 everybody or group, 5 group and below, 7 everybody')
    .meta(inLists('Who sees it: 1 owner, 3 group or all, 5 subgroups, 7 all')),
  was_seen: z.boolean().optional().describe('Whether somebody has seen it'),
  channel: z.int().nullable().optional().describe('Id of the marketing channel it came from'),
  channel_id: z.string().nullable().optional().describe('Additional identifier of the channel').meta(inLists(false)),
  custom_fields: customFields,
};

/** The rows of leads (SALES-006). Their custom fields are sent beside the others. */
export const leads = {
  'leads.list': get(
    '/v1/leads',
    'Lists leads, filtered by owner, person, organization, filter or time of change; paged. To search by text use sales_crm_search',
    {
      ...names,
      owner_id: z.int().min(1).optional().describe('Only leads of this user'),
      person_id: z.int().min(1).optional().describe('Only leads with this person'),
      organization_id: z.int().min(1).optional().describe('Only leads with this organization'),
      filter_id: z
        .int()
        .min(1)
        .optional()
        .describe('Id of a saved filter, instead of the others')
        .meta(inLists('Id of a saved filter')),
      updated_since: updatedBetween.updated_since,
      sort: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Such as "update_time DESC"; by id, title, owner_id, creator_id, was_seen, expected_close_date, next_activity_id, add_time or update_time',
        ),
      ...page,
      fields,
    },
    {
      tool: 'sales_crm_leads_list',
      output: manyLeads,
      page: 'offset',
      local: ['fields'],
      named,
    },
  ),
  // Read before a lead is changed (UNDO-021).
  'leads.get': get('/v1/leads/{id}', 'Gets a lead by its id', { id: leadId }, { output: oneLead }),
  'leads.create': post(
    '/v1/leads',
    'Creates a lead; it needs a person or an organization by name or id, which must exist. For an actual sale use sales_crm_deal_create',
    {
      title: z.string().min(1).describe('Name of the lead'),
      person_id: id('person; required unless organization_id is given').optional(),
      organization_id: id('organization; required unless person_id is given').optional(),
      expected_close_date: date('When the deal it becomes is expected to close').optional(),
      origin_id: z.string().nullable().optional().describe('Additional identifier of its origin').meta(inLists(false)),
      ...shared,
    },
    { tool: 'sales_crm_lead_create', output: oneLead, customNames: customFieldKey, adapt: customFieldsBeside, named },
  ),
  'leads.update': patch(
    '/v1/leads/{id}',
    'Updates a lead; omitted inputs keep their values',
    {
      id: leadId,
      title: z.string().min(1).optional().describe('Name of the lead'),
      person_id: clearable(id('person; a lead has a person, an organization or both')),
      organization_id: clearable(id('organization; a lead has a person, an organization or both')),
      is_archived: z.boolean().optional().describe('Whether the lead is archived'),
      expected_close_date: clearable(date('When the deal it becomes is expected to close')),
      ...shared,
    },
    {
      customNames: customFieldKey,
      adapt: customFieldsBeside,
      named,
      isIdempotent: true,
      effectBy: [{ when: { is_archived: [true] }, effect: 'lose' }, ...whenGiven('lose', 'label_ids')],
    },
  ),
  'leads.delete': del('/v1/leads/{id}', 'Deletes a lead', { id: leadId }),
  'leads.convert': post(
    '/api/v2/leads/{id}/convert/deal',
    'Converts a lead into a deal; the lead is gone then. Its id comes from sales_crm_leads_list',
    {
      id: leadId,
      pipeline: byName.pipeline,
      stage: byName.stage,
      stage_id: id('stage the deal begins in; it decides the pipeline').optional(),
      pipeline_id: id('pipeline the deal begins in, at its first stage; not together with stage_id').optional(),
    },
    {
      tool: 'sales_crm_lead_convert',
      output: oneConversion,
      effect: 'lose',
      named: { pipeline: namedInputs.pipeline, stage: namedInputs.stage },
    },
  ),
} as const;
