import { z } from 'zod';
import { get, post } from '#adapters/services/requests/request-rows.ts';
import { conversion, id, mail, module, pages } from '#adapters/services/suite-crm/inputs.ts';
import * as outputs from '#adapters/services/suite-crm/outputs.ts';
import { whenGiven } from '#domain/operations/effect.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

const one = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([schema.transform((value) => [value]), z.array(schema).length(1)]);

const jobId = id.describe('Id of the export job, as text');

/** The rows of lead conversion, e-mail, queries and exports (SUITE-004). */
export const actionRows = {
  'leads.convert': post(
    '/crm/v8/Leads/{id}/convert',
    'Converts a lead: into a contact, an account and, when `Deals` is given, a deal. It cannot be undone. The id is that of a record of the module Leads',
    {
      id: id.describe('Id of the lead, as text'),
      data: one(conversion)
        .default([{}])
        .describe(
          'How it is converted, such as {"Deals": {"Deal_Name": "Acme", "Stage": "Qualification", "Closing_Date": "2026-12-31"}}',
        )
        .meta(
          inLists({
            type: 'object',
            description: 'How it is converted',
            properties: {
              Deals: {
                type: 'object',
                description:
                  'A deal to create: {"Deal_Name", "Stage", "Closing_Date": "2026-12-31"}, and Pipeline, Amount',
              },
              Accounts: { type: 'object', description: 'An account to use: {"id"}' },
              Contacts: { type: 'object', description: 'A contact to use: {"id"}' },
              assign_to: { type: 'object', description: 'Owner of the new records: {"id"}' },
              overwrite: { type: 'boolean', description: 'Overwrite values of the existing contact and account' },
              add_to_existing_record: { type: 'boolean', description: 'Use a matching contact and account' },
              notify_lead_owner: { type: 'boolean' },
              notify_new_entity_owner: { type: 'boolean' },
              move_attachments_to: { type: 'object', description: '{"id", "api_name"} of the new record' },
              carry_over_tags: { type: 'object', description: 'Tags by module: {"Deals": ["q3"]}' },
            },
          }),
        ),
    },
    {
      tool: 'suite_lead_convert',
      output: outputs.conversionOutcome,
      effect: 'lose',
    },
  ),

  'emails.send': post(
    '/crm/v8/{module}/{id}/send_mail',
    'Sends an e-mail from a record',
    { module, id, data: one(mail).describe('The e-mail') },
    { output: outputs.sentMail, effect: 'reach' },
  ),
  'emails.list': get(
    '/crm/v8/{module}/{id}/emails',
    'Lists the e-mails of a record',
    {
      module,
      id,
      type: z
        .enum([
          'all_contacts_draft_crm_emails',
          'all_contacts_scheduled_crm_emails',
          'all_contacts_sent_crm_emails',
          'sent_from_crm',
          'scheduled_in_crm',
          'drafts',
          'user_emails',
        ])
        .optional()
        .describe('Which e-mails; those sent from the CRM by default'),
      owner_id: id.optional().describe('Only those of this user'),
      page: pages.page,
    },
    {
      output: outputs.mailPages,
      page: 'page',
    },
  ),

  'coql.run': post(
    '/crm/v8/coql',
    'Runs a COQL query, which returns at most 2000 records',
    {
      select_query: z.string().min(1).max(10_000).describe('A query with a where clause, and limit and offset'),
      include_meta: z
        .array(z.enum(['fields']))
        .max(1)
        .optional()
        .describe('Whether to describe the fields too'),
    },
    { output: outputs.selected, effect: 'read', isIdempotent: true },
  ),

  'bulk.create': post(
    '/crm/v8/bulk/read',
    'Starts an export of up to 200,000 records of a module as CSV, and returns the id of the job',
    {
      query: z
        .strictObject({
          module: z.strictObject({ api_name: module }),
          fields: z
            .array(z.string())
            .max(1_000)
            .optional()
            .describe('API names of the columns, such as ["id", "Deal_Name"]; all fields of the module by default'),
          criteria: z
            .record(z.string(), z.unknown())
            .optional()
            .describe(
              'Such as {"group_operator": "and", "group": [{"field": {"api_name": "Stage"}, "comparator": "equal", "value": "Closed Won"}]}',
            ),
          cvid: id.optional(),
          page: z.number().int().min(1).optional().describe('Which 200,000 records, from 1'),
        })
        .describe('What is exported: {"module": {"api_name": "Deals"}, "fields": ["id", "Deal_Name"]}'),
      file_type: z.enum(['csv', 'ics']).optional().describe('csv, the default; ics for Events only'),
      callback: z
        .strictObject({ url: z.url(), method: z.literal('post') })
        .optional()
        .describe('Address that the provider notifies when the job ends'),
    },
    { output: outputs.job, effectBy: whenGiven('reach', 'callback') },
  ),
  'bulk.get': get(
    '/crm/v8/bulk/read/{job_id}',
    'Gets the status of an export job: ADDED, QUEUED, IN PROGRESS, COMPLETED or FAILURE',
    { job_id: jobId },
    { output: outputs.job },
  ),
  'bulk.packed': get(
    '/crm/v8/bulk/read/{job_id}/result',
    'Downloads the result of an export job as the provider packs it',
    { job_id: jobId },
    {
      answer: 'file',
      accept: { kind: '*/*' },
      route: { method: 'GET', path: '/bulk/read/{job_id}/result/packed' },
    },
  ),
} as const;
