import { z } from 'zod';
import { page, perPage } from '#adapters/services/suite-crm/details/paging.ts';
import { comparisonsIn } from '#adapters/services/suite-crm/inputs/condition.ts';
import { coqlOperators } from '#adapters/services/suite-crm/inputs/coql.ts';
import {
  criteriaError,
  criteriaOperators,
  criteriaText,
  maxCriteria,
} from '#adapters/services/suite-crm/inputs/criteria.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

const apiName = z.string().regex(/^[A-Za-z]\w{0,99}$/, { error: 'must be an API name, such as "Deals"' });

/** A module by its API name. */
export const module = apiName
  .describe(
    'API name of the module: Leads, Contacts, Deals, Accounts, Tasks, … or a custom one, from suite_modules_list',
  )
  .meta(inLists('Such as Leads, Deals (suite_modules_list)'));

/** A record's id; the provider's have up to 19 digits, too many for a JavaScript number. */
export const id = z
  .string()
  .regex(/^[\w-]{1,64}$/, { error: 'must be an id, as text' })
  .describe('Id of the record');

/** A related list of a record by its API name. */
export const relatedList = apiName.describe('API name of the related list, such as "Contacts" or "Products"');

const fieldName = z
  .string()
  .regex(/^[A-Za-z$][\w.$]{0,199}$/, { error: 'must be the API name of a field, such as "Last_Name"' });

/** The fields of a list's items to return. */
export const fields = z
  .array(fieldName)
  .min(1)
  .max(50)
  .optional()
  .describe(
    'API names of the fields to return, such as ["Deal_Name","Stage"], at most 50; the usual ones of the module by default',
  )
  .meta(inLists('Such as ["Deal_Name","Stage"], at most 50'));

/** Paging inputs (SUITE-005). */
export const pages = { page, per_page: perPage };

const sortOrder = z.enum(['asc', 'desc']).optional().describe('Default desc').meta(inLists(''));

/** Sorting inputs for records. */
export const sorting = {
  sort_by: z.enum(['id', 'Created_Time', 'Modified_Time']).optional().describe('Default id'),
  sort_order: sortOrder,
};

/** Sorting inputs for search results. */
export const searchSorting = {
  sort_by: fieldName.optional().describe('API name of a field; id by default'),
  sort_order: sortOrder,
};

/** Whether converted leads are included. */
export const converted = z.enum(['true', 'false', 'both']).optional().describe('Leads only; default "false"');

/** A list of record ids. */
export const ids = z.array(id).min(1).max(100).optional().describe('Only these, at most 100');

const record = z
  .record(z.string(), z.unknown())
  .refine((value) => Object.keys(value).length > 0, { error: 'must have at least one field' });

/** Records to create or change in one call, up to 100 (SUITE-003). A single one may be given without a list. */
export const records = z
  .union([record.transform((one) => [one]), z.array(record).min(1).max(100)])
  .describe(
    'A record, or a list of up to 100, by API names of fields: {"Last_Name": "Burns", "Company": "Acme"}; a lookup is {"id": "…"}',
  );

/** The fields of one record to change. */
export const changes = z
  .union([record.transform((one) => [one]), z.array(record).length(1)])
  .describe('The fields to change, by API names: {"Stage": "Closed Won", "Amount": 1200}; others stay as they are');

/** The automations that a write triggers. */
export const trigger = z
  .array(z.enum(['approval', 'workflow', 'blueprint', 'pathfinder', 'orchestration']))
  .optional()
  .describe('Automations to trigger; all that apply by default, none for an empty list')
  .meta(inLists('Automations to trigger; all by default'));

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const value = z.union([scalar, z.array(scalar).min(1).max(100), z.null()]).optional();

const conditionOf = <const Operators extends readonly [string, ...string[]]>(operators: Operators) => {
  const comparison = z.strictObject({ field: fieldName, operator: z.enum(operators), value });
  const any = z.strictObject({ any: z.array(comparison).min(1) });
  const all = z.strictObject({ all: z.array(comparison).min(1) });
  return z.union([
    comparison,
    z.strictObject({ all: z.array(z.union([comparison, any])).min(1) }),
    z.strictObject({ any: z.array(z.union([comparison, all])).min(1) }),
  ]);
};

const written = z
  .string()
  .max(3_000)
  .superRefine((text, context) => {
    const error = criteriaError(text);
    if (error !== null) context.addIssue({ code: 'custom', message: error });
  });

/**
 * Search criteria: structured, and escaped by us, or the provider's own syntax, which is only checked for balanced
 * parentheses.
 */
export const criteria = z
  .union([
    written,
    conditionOf(criteriaOperators)
      .refine((condition) => comparisonsIn(condition) <= maxCriteria, {
        error: `must have ${maxCriteria} comparisons at the most`,
      })
      .transform(criteriaText),
  ])
  .optional()
  .describe(
    'What to look for: {"field": "Last_Name", "operator": "equals", "value": "Burns"}, several in {"all": […]} or {"any": […]} ' +
      '(a null value is "empty", a list goes with in and between); or criteria text such as (Last_Name:equals:Burns). A lookup field takes the id of its record',
  )
  .meta(
    inLists({
      anyOf: [{ type: 'object' }, { type: 'string' }],
      description: `{"field": "Last_Name", "operator": "equals", "value": "Burns"}; several in {"all": […]} or {"any": […]}; a null value is "empty". Operators: ${criteriaOperators.join(', ')} (in and between take a list). A lookup field takes its record's id`,
    }),
  );

/** A COQL query in parts. */
export const coqlClauses = z.strictObject({
  select: z
    .array(z.string().regex(/^(?:(?:count|sum|min|max|avg)\([A-Za-z][\w.]*\)|[A-Za-z][\w.]*)(?: as [A-Za-z]\w*)?$/i))
    .min(1)
    .max(50)
    .describe('Fields, those of a related record as "Account_Name.Industry", or aggregates such as "COUNT(id)"'),
  from: apiName.describe('API name of the module'),
  where: conditionOf(coqlOperators).optional().describe('Which records; all by default'),
  group_by: z.array(fieldName).max(4).optional(),
  order_by: z
    .array(z.strictObject({ field: fieldName, direction: z.enum(['asc', 'desc']).default('asc') }))
    .max(10)
    .optional(),
});

const tag = z.strictObject({
  name: z.string().trim().min(1).max(25),
  color_code: z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/)
    .optional(),
});

/** Tags by name. */
export const tags = z
  .array(z.union([tag.shape.name.transform((name) => ({ name })), tag]))
  .min(1)
  .max(10)
  .describe('Names of tags, at most 25 characters each: ["customer", "q3"]; or {"name": "…", "color_code": "#57B1FD"}')
  .meta(
    inLists({
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { type: 'object' }] },
      description: 'Such as ["customer", "q3"]',
    }),
  );

const address = z.strictObject({ email: z.email(), user_name: z.string().optional() });
const addresses = z.array(address).min(1).max(50);

/** An e-mail to send from a record. */
export const mail = z.strictObject({
  from: address.describe('Who sends it: an address that the CRM may send from'),
  to: addresses,
  cc: addresses.optional(),
  bcc: addresses.optional(),
  reply_to: address.optional(),
  subject: z.string().max(500).optional(),
  content: z.string().optional().describe('The text, as HTML or plain text by `mail_format`'),
  mail_format: z.enum(['html', 'text']).optional(),
  org_email: z.boolean().optional().describe("Whether it goes out from the organisation's address"),
  scheduled_time: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('When it is sent: ISO 8601 with offset; at once by default'),
  template: z.strictObject({ id: z.string() }).optional(),
  attachments: z
    .array(z.strictObject({ id: z.string() }))
    .max(10)
    .optional(),
});

const dealOfLead = z.looseObject({
  Deal_Name: z.string().min(1),
  Closing_Date: z.iso.date().describe('YYYY-MM-DD'),
  Stage: z.string().min(1),
  Pipeline: z.string().min(1).optional(),
  Amount: z.number().optional(),
});

/** Tags by name or, in the newer of the two published formats, as an object that the provider does not describe. */
const carriedTags = z.union([z.array(z.string().min(1)), z.record(z.string(), z.unknown())]).optional();

const existing = (what: string) => z.strictObject({ id }).optional().describe(`The ${what} to use`);

/** Options for converting a lead: the union of both published formats. */
export const conversion = z.strictObject({
  overwrite: z
    .boolean()
    .optional()
    .describe("Whether the lead's values replace those of an existing contact and account"),
  notify_lead_owner: z.boolean().optional(),
  notify_new_entity_owner: z.boolean().optional(),
  add_to_existing_record: z.boolean().optional().describe('Whether a contact and an account that match are used'),
  assign_to: z.strictObject({ id }).optional().describe('The user who owns the new records'),
  Deals: dealOfLead.optional().describe('The deal to create; none by default'),
  Accounts: existing('account'),
  Contacts: existing('contact'),
  move_attachments_to: z
    .strictObject({ id, api_name: z.string().min(1).optional() })
    .optional()
    .describe('New record that receives the attachments'),
  carry_over_tags: z
    .strictObject({ Contacts: carriedTags, Accounts: carriedTags, Deals: carriedTags })
    .optional()
    .describe('Tags that the new records get'),
});

/** One notification channel (WREG-003). */
export const channel = z.strictObject({
  channel_id: z
    .union([z.string(), z.number().int().transform(String)])
    .pipe(z.string().regex(/^\d{1,19}$/))
    .describe('A number of your own choice, as text'),
  events: z
    .array(z.string().regex(/^[A-Za-z]\w*\.(?:create|edit|delete|all)$/))
    .min(1)
    .max(50)
    .describe('Events such as "Deals.edit" or "Contacts.all"'),
  notify_url: z
    .url({ protocol: /^https?$/ })
    .max(255)
    .describe('Where deliveries go'),
  token: z.string().min(1).max(50).optional().describe('Echoed in every delivery; at most 50 characters'),
  channel_expiry: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('When it ends: ISO 8601 with offset, at most 7 days ahead; the provider takes one hour by default'),
});
