import { z } from 'zod';
import {
  address,
  byName,
  customFields,
  date,
  filtering,
  id,
  including,
  leadId,
  namedInputs,
  sorting,
  updatedBetween,
  withUnlisted,
} from '#adapters/services/sales-crm/inputs.ts';
import { recordRows } from '#adapters/services/sales-crm/operations/records.ts';
import { manyActivities, oneActivity } from '#adapters/services/sales-crm/outputs.ts';
import { whenGiven } from '#domain/operations/effect.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

const clock = (what: string) =>
  z
    .string()
    .regex(/^\d{1,3}:\d{2}(:\d{2})?$/, { error: 'must be like 09:30' })
    .describe(`${what}, as HH:MM`);

const { owner, person, org } = byName;

const changes = {
  owner,
  person,
  org,
  subject: z.string().min(1).optional().describe('What it is about, such as "Call Ann about the offer"'),
  type: z.string().min(1).optional().describe('Such as call, meeting, task, deadline, email or lunch'),
  owner_id: id('user who does it').optional(),
  deal_id: id('deal it belongs to').optional(),
  lead_id: leadId.optional(),
  person_id: id('person it is with; the first participant').optional(),
  org_id: id('organization it belongs to').optional(),
  project_id: id('project it belongs to').optional(),
  due_date: date('When it is due').optional(),
  due_time: clock('Time of day in UTC').optional(),
  duration: clock('How long it takes').optional(),
  busy: z.boolean().optional().describe('Whether its owner is busy then'),
  done: z.boolean().optional().describe('Whether it is done'),
  location: address('Where it takes place'),
  participants: z
    .array(z.strictObject({ person_id: id('person'), primary: z.boolean().optional() }))
    .optional()
    .describe('The persons who take part, such as [{"person_id": 7, "primary": true}]')
    .meta(inLists({ type: 'array', items: { type: 'object' } })),
  attendees: z
    .array(
      z.strictObject({
        email: z.string().optional(),
        name: z.string().optional(),
        status: z.string().optional(),
        is_organizer: z.boolean().optional(),
        person_id: z.int().min(1).optional(),
        user_id: z.int().min(1).optional(),
      }),
    )
    .optional()
    .describe('Who is invited by e-mail')
    .meta(
      inLists({
        type: 'array',
        items: { type: 'object' },
        description: 'Who is invited, such as [{"email": "ann@example.com", "name": "Ann"}]',
      }),
    ),
  public_description: z.string().optional().describe('Text that attendees see'),
  priority: z.int().optional().describe('Id of its priority'),
  note: z.string().optional().describe('Text of its note, HTML'),
  custom_fields: customFields,
};

const records = recordRows({
  path: '/api/v2/activities',
  one: 'activity',
  article: 'an',
  many: 'activities',
  narrowedBy: 'owner, deal, lead, person, organization, whether done, or time of change',
  tools: {
    list: 'sales_crm_activities_list',
    create: 'sales_crm_activity_create',
    update: 'sales_crm_activity_update',
  },
  advice: {
    list: 'Ids come from sales_crm_search',
    create: 'A call, meeting, task or similar, planned or done. Ids of related records come from sales_crm_search',
    update: '`done: true` completes it. Ids come from sales_crm_activities_list',
  },
  outputs: { one: oneActivity, many: manyActivities },
  inputs: {
    list: {
      ...filtering('activities'),
      owner,
      person,
      org,
      deal_id: z.int().min(1).optional().describe('Only activities of this deal'),
      lead_id: leadId.optional().describe('Only activities of this lead').meta(inLists('Only activities of this lead')),
      person_id: z.int().min(1).optional().describe('Only activities whose first participant is this person'),
      org_id: z.int().min(1).optional().describe('Only activities of this organization'),
      done: z.boolean().optional().describe('Only done ones, or only open ones'),
      ...updatedBetween,
      ...sorting(['id', 'update_time', 'add_time', 'due_date']),
      include_fields: including(['attendees']),
    },
    get: { include_fields: including(['attendees']) },
    create: changes,
    update: withUnlisted(changes, [
      'duration',
      'location',
      'busy',
      'participants',
      'attendees',
      'public_description',
      'priority',
      'project_id',
      'lead_id',
      'custom_fields',
    ]),
  },
  named: { owner: namedInputs.owner, person: namedInputs.person, org: namedInputs.org },
  effectBy: {
    // Attendees are invited by e-mail.
    create: whenGiven('reach', 'attendees'),
    update: [...whenGiven('reach', 'attendees'), ...whenGiven('lose', 'participants', 'note')],
  },
});

/** The rows of activities (SALES-004). */
export const activities = {
  'activities.list': records.list,
  'activities.get': records.get,
  'activities.create': records.create,
  'activities.update': records.update,
  'activities.delete': records.delete,
} as const;
