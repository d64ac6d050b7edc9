import { z } from 'zod';
import { get, post, put } from '#adapters/services/requests/request-rows.ts';
import {
  billingCycles,
  billingFrequency,
  byName,
  clearable,
  customFields,
  date,
  fields,
  filtering,
  id,
  including,
  labelIds,
  namedInputs,
  page,
  searching,
  showing,
  sorting,
  stamp,
  updatedBetween,
  visibleTo,
  withUnlisted,
} from '#adapters/services/sales-crm/inputs.ts';
import { recordRows } from '#adapters/services/sales-crm/operations/records.ts';
import { manyDeals, oneDeal } from '#adapters/services/sales-crm/outputs.ts';
import { whenGiven } from '#domain/operations/effect.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

const included = including([
  'next_activity_id',
  'last_activity_id',
  'first_won_time',
  'products_count',
  'files_count',
  'notes_count',
  'followers_count',
  'email_messages_count',
  'activities_count',
  'done_activities_count',
  'undone_activities_count',
  'participants_count',
  'last_incoming_mail_time',
  'last_outgoing_mail_time',
  'smart_bcc_email',
  'source_lead_id',
]);

const title = z.string().min(1).describe('Title, such as "Acme: 20 licences"');

const changes = {
  ...byName,
  owner_id: id('user who owns the deal').optional(),
  person_id: id('person the deal is with').optional(),
  org_id: id('organization the deal is with').optional(),
  pipeline_id: id('pipeline').optional(),
  stage_id: id('stage; it decides the pipeline').optional(),
  value: z.number().optional().describe('Value in its currency'),
  currency: z.string().min(1).optional().describe('Such as "EUR"; the user\'s own by default'),
  is_deleted: z.boolean().optional().describe('Deletes it; false restores it'),
  is_archived: z.boolean().optional().describe('Archives it'),
  archive_time: stamp('When it was archived; now by default').optional().meta(inLists(false)),
  status: z.enum(['open', 'won', 'lost']).optional().describe('Status of the deal'),
  probability: z.number().nullable().optional().describe('Probability in percent'),
  lost_reason: z.string().nullable().optional().describe('With status lost'),
  visible_to: visibleTo,
  close_time: clearable(stamp('When it was closed; only with status won or lost')).meta(inLists(false)),
  won_time: stamp('When it was won; only with status won')
    .optional()
    .meta(inLists('With status won: YYYY-MM-DD HH:MM:SS, UTC')),
  lost_time: stamp('When it was lost; only with status lost')
    .optional()
    .meta(inLists('With status lost: YYYY-MM-DD HH:MM:SS, UTC')),
  expected_close_date: date('When it is expected to close').optional(),
  label_ids: labelIds,
  custom_fields: customFields,
};

const records = recordRows({
  path: '/api/v2/deals',
  one: 'deal',
  article: 'a',
  many: 'deals',
  narrowedBy: 'owner, person, organization, pipeline, stage, status or time of change',
  tools: {
    list: 'sales_crm_deals_list',
    get: 'sales_crm_deal_get',
    create: 'sales_crm_deal_create',
    update: 'sales_crm_deal_update',
  },
  advice: {
    list: 'To search by text use sales_crm_search; stages are in sales_crm_pipelines_list',
    get: 'Ids come from sales_crm_deals_list and sales_crm_search',
    create: 'Only the title is required. For a prospect use sales_crm_lead_create',
    update: 'Also marks it won or lost, restores it, or moves it to a `stage`. Its id comes from sales_crm_search',
  },
  outputs: { one: oneDeal, many: manyDeals },
  inputs: {
    list: {
      ...filtering('deals'),
      ...byName,
      person_id: z.int().min(1).optional().describe('Only deals with this person'),
      org_id: z.int().min(1).optional().describe('Only deals with this organization'),
      pipeline_id: z.int().min(1).optional().describe('Only deals in this pipeline'),
      stage_id: z.int().min(1).optional().describe('Only deals in this stage'),
      status: z.enum(['open', 'won', 'lost', 'deleted']).optional().describe('All except deleted by default'),
      ...updatedBetween,
      ...sorting(['id', 'update_time', 'add_time']),
      include_fields: included,
      ...showing,
    },
    get: { include_fields: included, ...showing },
    create: withUnlisted({ title, ...changes }, ['is_deleted', 'is_archived']),
    update: { title: title.optional(), ...changes },
  },
  named: namedInputs,
  effectBy: {
    update: [
      { when: { is_deleted: [true] }, effect: 'lose' },
      { when: { is_archived: [true] }, effect: 'lose' },
      ...whenGiven('lose', 'label_ids'),
    ],
  },
});

/** The rows of deals (SALES-002). */
export const deals = {
  'deals.list': records.list,
  'deals.get': records.get,
  'deals.create': records.create,
  'deals.update': records.update,
  'deals.delete': records.delete,
  'deals.search': get(
    '/api/v2/deals/search',
    'Searches deals by title, notes and custom fields',
    {
      ...searching(['title', 'notes', 'custom_fields']),
      person_id: z.int().min(1).optional().describe('Only deals with this person'),
      organization_id: z.int().min(1).optional().describe('Only deals with this organization'),
      status: z.enum(['open', 'won', 'lost']).optional().describe('Only deals with this status'),
      include_fields: including(['deal.cc_email']),
      ...page,
    },
    { page: 'cursor' },
  ),
  'deals.add_product': post(
    '/api/v2/deals/{id}/products',
    'Adds a product to a deal',
    {
      id: id('deal'),
      product_id: id('product'),
      item_price: z.number().describe("Price of one, in the deal's currency"),
      quantity: z.number().describe('How many'),
      tax: z.number().min(0).optional().describe('Tax in percent; 0 by default'),
      comments: z.string().optional().describe('Comment on the product'),
      discount: z.number().min(0).optional().describe('Discount, of the kind that discount_type says; 0 by default'),
      discount_type: z.enum(['percentage', 'amount']).optional().describe('percentage, the default, or amount'),
      is_enabled: z.boolean().optional().describe('Whether it counts for the deal; true by default'),
      tax_method: z
        .enum(['exclusive', 'inclusive', 'none'])
        .optional()
        .describe('Whether the price is without tax, with tax, or untaxed'),
      product_variation_id: z.int().min(1).nullable().optional().describe('Id of a variation of the product'),
      billing_frequency: billingFrequency('when not given'),
      billing_frequency_cycles: billingCycles,
      billing_start_date: clearable(date('When billing starts; within ten years')),
    },
    // The value of the deal becomes that of its products.
    { effect: 'change' },
  ),
  'deals.followers': get(
    '/api/v2/deals/{id}/followers',
    'Lists the users who follow a deal',
    { id: id('deal'), ...page, fields },
    { page: 'cursor', local: ['fields'] },
  ),
  'deals.merge': put(
    '/api/v2/deals/{id}/merge',
    'Merges a deal into another; the first one is deleted',
    { id: id('deal to merge, which is deleted'), merge_with_id: id('deal to keep') },
    { effect: 'lose', isIdempotent: false },
  ),
} as const;
