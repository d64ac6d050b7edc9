import { z } from 'zod';
import { get, put } from '#adapters/services/requests/request-rows.ts';
import {
  address,
  byName,
  customFields,
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
import { manyOrganizations, manyPersons, oneOrganization, onePerson } from '#adapters/services/sales-crm/outputs.ts';
import type { OperationOutput } from '#application/ports/operation-catalog.ts';
import { whenGiven } from '#domain/operations/effect.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

const countsOfBoth = [
  'next_activity_id',
  'last_activity_id',
  'open_deals_count',
  'related_open_deals_count',
  'closed_deals_count',
  'related_closed_deals_count',
  'email_messages_count',
  'activities_count',
  'done_activities_count',
  'undone_activities_count',
  'files_count',
  'notes_count',
  'followers_count',
  'won_deals_count',
  'related_won_deals_count',
  'lost_deals_count',
  'related_lost_deals_count',
  'smart_bcc_email',
] as const;

const personFields = including([
  ...countsOfBoth,
  'participant_open_deals_count',
  'participant_closed_deals_count',
  'last_incoming_mail_time',
  'last_outgoing_mail_time',
  'marketing_status',
  'doi_status',
]);

const organizationFields = including([...countsOfBoth, 'people_count']);

const changesOfBoth = {
  add_time: stamp('When it was created').optional().meta(inLists(false)),
  update_time: stamp('When it was last changed').optional().meta(inLists(false)),
  visible_to: visibleTo,
  label_ids: labelIds,
  custom_fields: customFields,
};

const channel = (what: string, example: string, shortly?: string) =>
  z
    .array(
      z.strictObject({
        value: z.string().min(1),
        primary: z.boolean().optional().describe('Whether it is the main one'),
        label: z.string().optional().describe('Such as work, home or mobile'),
      }),
    )
    .optional()
    .describe(`${what}, such as [{"value": "${example}", "primary": true, "label": "work"}]`)
    .meta(
      inLists({ type: 'array', items: { type: 'object' }, ...(shortly === undefined ? {} : { description: shortly }) }),
    );

const personName = z.string().min(1).describe('Full name of the person');

const personChanges = {
  owner: byName.owner,
  org: byName.org,
  owner_id: id('user who owns the person').optional(),
  org_id: id('organization the person belongs to').optional(),
  emails: channel('E-mail addresses', 'ann@example.com'),
  phones: channel('Telephone numbers', '+44 20 7946 0000', 'Telephone numbers, like emails'),
  marketing_status: z
    .enum(['no_consent', 'unsubscribed', 'subscribed', 'archived'])
    .optional()
    .describe('Consent to marketing e-mail; needs a valid address'),
  ...changesOfBoth,
};

const persons = recordRows({
  path: '/api/v2/persons',
  one: 'person',
  article: 'a',
  many: 'persons',
  narrowedBy: 'owner, organization, deal or time of change',
  tools: {
    list: 'sales_crm_persons_list',
    get: 'sales_crm_person_get',
    create: 'sales_crm_person_create',
    update: 'sales_crm_person_update',
  },
  advice: {
    list: 'To search by name, e-mail or telephone use sales_crm_search',
    get: 'Ids come from sales_crm_persons_list and sales_crm_search',
    create: 'Only the name is required. Check with sales_crm_search that it does not exist',
    update:
      'Addresses, numbers and labels replace those it has. Ids come from sales_crm_persons_list and sales_crm_search',
  },
  outputs: { one: onePerson, many: manyPersons },
  inputs: {
    list: {
      ...filtering('persons'),
      owner: byName.owner,
      org: byName.org,
      org_id: z.int().min(1).optional().describe('Only persons of this organization'),
      deal_id: z.int().min(1).optional().describe('Only persons of this deal'),
      ...updatedBetween,
      ...sorting(['id', 'update_time', 'add_time']),
      include_fields: personFields,
      ...showing,
    },
    get: { include_fields: personFields, ...showing },
    create: { name: personName, ...personChanges },
    update: { name: personName.optional(), ...personChanges },
  },
  named: { owner: namedInputs.owner, org: namedInputs.org },
  effectBy: { update: whenGiven('lose', 'emails', 'phones', 'label_ids') },
});

const organizationName = z.string().min(1).describe('Name of the organization');

const organizationChanges = {
  owner: byName.owner,
  owner_id: id('user who owns the organization').optional(),
  address: address('Where the organization is'),
  ...changesOfBoth,
};

const organizations = recordRows({
  path: '/api/v2/organizations',
  one: 'organization',
  article: 'an',
  many: 'organizations',
  narrowedBy: 'owner or time of change',
  tools: {
    list: 'sales_crm_orgs_list',
    get: 'sales_crm_org_get',
    create: 'sales_crm_org_create',
    update: 'sales_crm_org_update',
  },
  advice: {
    list: 'To search by name or address use sales_crm_search',
    get: 'Ids come from sales_crm_orgs_list and sales_crm_search',
    create: 'Only the name is required. Check with sales_crm_search that it does not exist',
    update: 'Its id comes from sales_crm_search',
  },
  outputs: { one: oneOrganization, many: manyOrganizations },
  inputs: {
    list: {
      ...filtering('organizations'),
      owner: byName.owner,
      ...updatedBetween,
      ...sorting(['id', 'update_time', 'add_time']),
      include_fields: organizationFields,
      ...showing,
    },
    get: { include_fields: organizationFields, ...showing },
    create: { name: organizationName, ...organizationChanges },
    update: withUnlisted({ name: organizationName.optional(), ...organizationChanges }, ['visible_to', 'label_ids']),
  },
  named: { owner: namedInputs.owner },
  effectBy: { update: whenGiven('lose', 'label_ids') },
});

type Merging = Readonly<{
  path: `${string}/{id}/merge`;
  one: string;
  article: string;
  tool: string;
  output: OperationOutput;
}>;

/** A merge in the form of that of deals; by ids, since records to merge usually have the same name. */
const merging = ({ path, one, article, tool, output }: Merging) =>
  put(
    path,
    `Merges ${article} ${one} into another, whose own values stay. The first is deleted for good. Ids come from sales_crm_search`,
    { id: id(`${one} to merge, which is deleted`), merge_with_id: id(`${one} to keep`) },
    { tool, output, effect: 'lose', isIdempotent: false },
  );

/** The rows of persons and organizations, in the same form as deals (SALES-003). */
export const parties = {
  'persons.list': persons.list,
  'persons.get': persons.get,
  'persons.create': persons.create,
  'persons.update': persons.update,
  'persons.delete': persons.delete,
  'persons.merge': merging({
    path: '/api/v2/persons/{id}/merge',
    one: 'person',
    article: 'a',
    tool: 'sales_crm_persons_merge',
    output: onePerson,
  }),
  'persons.search': get(
    '/api/v2/persons/search',
    'Searches persons by name, e-mail, telephone, notes and custom fields',
    {
      ...searching(['name', 'email', 'phone', 'notes', 'custom_fields']),
      organization_id: z.int().min(1).optional().describe('Only persons of this organization'),
      include_fields: including(['person.picture']),
      ...page,
    },
    { page: 'cursor' },
  ),
  'organizations.list': organizations.list,
  'organizations.get': organizations.get,
  'organizations.create': organizations.create,
  'organizations.update': organizations.update,
  'organizations.delete': organizations.delete,
  'organizations.merge': merging({
    path: '/api/v2/organizations/{id}/merge',
    one: 'organization',
    article: 'an',
    tool: 'sales_crm_orgs_merge',
    output: oneOrganization,
  }),
  'organizations.search': get(
    '/api/v2/organizations/search',
    'Searches organizations by name, address, notes and custom fields',
    { ...searching(['name', 'address', 'notes', 'custom_fields']), ...page },
    { page: 'cursor' },
  ),
} as const;
