import { z } from 'zod';
import type { Shape } from '#adapters/services/requests/operation-table.ts';
import { defaultPageSize, pagingInLists } from '#adapters/services/requests/page-size.ts';
import { own } from '#domain/shared/own.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

/** The id of a record, a positive integer. */
export const id = (what: string) => z.int().min(1).describe(`Id of the ${what}`);

/** The id of a lead as text: a UUID at most vendors, digits at others. */
export const leadId = z
  .string()
  .regex(/^(?:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[1-9]\d{0,19})$/i, {
    error: 'must be the id of a lead as text, such as a UUID',
  })
  .describe('Id of the lead, as its list has it')
  .meta(inLists('Id of the lead'));

const dateTimeSchema = z.iso.datetime({ offset: true });
const dateSchema = z.iso.date();

/** A record by name or id, which may be a number; `by` says which names it takes. */
const nameOrId = (what: string, by = 'name or id') =>
  z
    .preprocess((given) => (typeof given === 'number' ? String(given) : given), z.string().trim().min(1).max(200))
    .optional()
    .describe(`${what}: ${by}`)
    .meta(inLists(sentence(by)));

const sentence = (words: string) => words.slice(0, 1).toUpperCase() + words.slice(1);

/** Inputs that refer to records by name or id, in place of their ids. */
export const byName = {
  owner: nameOrId('Owner', 'name, e-mail, id or "me"'),
  person: nameOrId('Person', 'name, e-mail or id'),
  org: nameOrId('Organization'),
  pipeline: nameOrId('Pipeline'),
  stage: nameOrId('Stage'),
};

/** The kinds of record that those inputs name, and the inputs that receive their ids. */
export const namedInputs = {
  owner: { kind: 'user', fills: 'owner_id' },
  person: { kind: 'person', fills: 'person_id' },
  org: { kind: 'organization', fills: 'org_id' },
  pipeline: { kind: 'pipeline', fills: 'pipeline_id' },
  stage: { kind: 'stage', fills: 'stage_id' },
} as const;

/** A point in time in RFC 3339 format. */
export const dateTime = (what: string) =>
  z
    .string()
    .refine((text) => dateTimeSchema.safeParse(text).success, { error: 'must be like 2026-01-31T10:20:00Z' })
    .meta({ format: 'date-time', description: `${what}, such as 2026-01-31T10:20:00Z` });

/** A calendar day. */
export const date = (what: string) =>
  z
    .string()
    .refine((text) => dateSchema.safeParse(text).success, { error: 'must be a day like 2026-01-31' })
    .meta({ format: 'date', description: `${what}, as YYYY-MM-DD`, ...inLists('YYYY-MM-DD') });

/** A point in time in the service's own format, in UTC. */
export const stamp = (what: string) => z.string().min(1).describe(`${what}, in UTC as YYYY-MM-DD HH:MM:SS`);

/** An input that can be cleared with null; the description applies to the whole, not to one of its branches. */
export const clearable = <Value extends z.ZodType>(value: Value) =>
  value
    .nullable()
    .optional()
    .describe(`${value.description ?? ''}; null clears it`);

/** The fields of a list's items to return. Applied on this server, not sent to the service. */
export const fields = z
  .array(z.string().min(1))
  .min(1)
  .optional()
  .describe('Only these fields of each item, such as ["id", "title"]')
  .meta(inLists(''));

/** Paging inputs, the same two for every list, whatever the service calls them. */
export const page = {
  limit: z
    .int()
    .min(1)
    .max(500)
    .default(defaultPageSize)
    .describe('Items per page, at most 500')
    .meta(inLists('At most 500')),
  cursor: z.string().min(1).optional().describe('`next` of the previous page').meta(inLists(pagingInLists)),
};

/** Paging inputs of the lists that the service limits to 100 items. */
export const smallPage = {
  ...page,
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(defaultPageSize)
    .describe('Items per page, at most 100')
    .meta(inLists('At most 100')),
};

/** Sorting inputs of a list. */
export const sorting = <const Names extends readonly [string, ...string[]]>(names: Names) => ({
  sort_by: z.enum(names).optional().describe('Field to sort by; id by default').meta(inLists('Default id')),
  sort_direction: z.enum(['asc', 'desc']).optional().describe('Default asc').meta(inLists('')),
});

/** Filters a list by the time of its records' last change. */
export const updatedBetween = {
  updated_since: dateTime('Changed at or after this time')
    .optional()
    .meta(inLists('Changed since, such as 2026-01-31T10:20:00Z')),
  updated_until: dateTime('Changed before this time').optional().meta(inLists('Changed before this time')),
};

/** Filters that most lists have. */
export const filtering = (what: string) => ({
  filter_id: z
    .int()
    .min(1)
    .optional()
    .describe('Id of a saved filter; with it owner, person, organization, pipeline and stage are ignored')
    .meta(inLists('Id of a saved filter')),
  ids: z
    .array(z.int().min(1))
    .min(1)
    .max(100)
    .optional()
    .describe(`Only the ${what} with these ids, at most 100`)
    .meta(inLists('Only these, at most 100')),
  owner_id: z.int().min(1).optional().describe(`Only ${what} of this user`),
});

/** Additional fields to return with a record. */
export const including = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z
    .array(z.enum(names))
    .min(1)
    .optional()
    .describe('Fields to add that are omitted otherwise')
    .meta(
      inLists({
        type: 'array',
        items: { type: 'string' },
        description: `Fields to add, such as ${names[0]}`,
      }),
    );

/** How a record's custom fields and labels are returned. */
export const showing = {
  custom_fields: z
    .array(z.string().min(1))
    .min(1)
    .max(15)
    .optional()
    .describe('Only these custom fields, by their keys, at most 15')
    .meta(inLists('Only these, by key')),
  include_option_labels: z
    .boolean()
    .optional()
    .describe('Whether custom fields with options show {id, label} instead of the id')
    .meta(inLists('')),
  include_labels: z
    .boolean()
    .optional()
    .describe('Whether labels show {id, label} instead of the id')
    .meta(inLists('')),
};

/** The inputs common to all searches. */
export const searching = <const Names extends readonly [string, ...string[]]>(names: Names) => ({
  term: z.string().min(1).max(500).describe('Text to search for, at least 2 characters; 1 with exact_match'),
  fields: z.array(z.enum(names)).min(1).optional().describe('Fields to search; all by default'),
  exact_match: z.boolean().optional().describe('Whether the whole value must match, ignoring case'),
});

/** The values of custom fields. */
export const customFields = z
  .record(z.string(), z.unknown())
  .optional()
  .describe('Custom fields by their keys; null clears one')
  .meta(inLists('By their keys; null clears one'));

/** Who can see a record. */
export const visibleTo = z
  .int()
  .optional()
  .describe('Who sees it: 1 owner, 3 everybody or group, 5 group and below, 7 everybody')
  .meta(inLists('Who sees it: 1 owner, 3 group or all, 5 subgroups, 7 all'));

/** The ids of labels. */
export const labelIds = z
  .array(z.int().min(1))
  .optional()
  .describe('Ids of its labels, replacing those it has')
  .meta(inLists('Ids of all its labels'));

/** An address, as one text or in parts. */
export const address = (what: string) =>
  z
    .strictObject({
      value: z.string().optional().describe('The whole address as one text'),
      country: z.string().optional(),
      admin_area_level_1: z.string().optional().describe('State or region'),
      admin_area_level_2: z.string().optional().describe('County or district'),
      locality: z.string().optional().describe('City'),
      sublocality: z.string().optional(),
      route: z.string().optional().describe('Street'),
      street_number: z.string().optional(),
      subpremise: z.string().optional().describe('Flat or suite'),
      postal_code: z.string().optional(),
    })
    .optional()
    .describe(`${what}, such as {"value": "1 Main Street, Leeds"}`)
    .meta(inLists({ type: 'object' }));

/** A billing frequency; `alone` says when one-time is assumed without it. */
export const billingFrequency = (alone: string) =>
  z
    .enum(['one-time', 'annually', 'semi-annually', 'quarterly', 'monthly', 'weekly'])
    .optional()
    .describe(`How often it is billed; one-time ${alone}`);

/** The number of billing cycles. */
export const billingCycles = z
  .int()
  .min(1)
  .max(208)
  .nullable()
  .optional()
  .describe('How many times it is billed; null with one-time, a number with weekly');

/** Leaves inputs out of lists of tools; they are accepted all the same. */
export function withUnlisted<Inputs extends Shape>(
  inputs: Inputs,
  names: readonly Extract<keyof Inputs, string>[],
): Inputs {
  const unlisted = names.map((name) => [name, own(inputs, name)?.meta(inLists(false))]);
  return { ...inputs, ...Object.fromEntries(unlisted) };
}

/** The keys of custom fields: 40 hexadecimal digits, some with a suffix (`…_currency`). */
export const customFieldKey = /^[0-9a-f]{40}(_[a-z_]+)?$/;

/** Leads accept custom fields only beside the other fields. */
export function customFieldsBeside({
  custom_fields: given,
  ...inputs
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...(typeof given === 'object' ? given : null), ...inputs };
}
