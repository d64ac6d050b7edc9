import { z } from 'zod';
import { jsonOrAsIs } from '#adapters/input/texts.ts';
import { defaultPageSize, pagingInLists } from '#adapters/services/requests/page-size.ts';
import { variable } from '#adapters/services/tracker/details/variables.ts';
import { own } from '#domain/shared/own.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

const jsonObject = z.preprocess(
  jsonOrAsIs,
  z.record(z.string(), z.unknown(), { error: 'must be a JSON object, such as {"name":{"eq":"Website"}}' }),
);

const filterExamples: Readonly<Record<string, string>> = {
  TeamFilter: '{"key":{"eq":"ENG"}}',
  IssueFilter:
    '{"priority":{"lte":2},"state":{"type":{"in":["unstarted","started"]}}} or {"or":[{"dueDate":{"lt":"P1W"}},{"labels":{"some":{"name":{"eq":"Bug"}}}}]}',
  ProjectFilter: '{"status":{"type":{"eq":"started"}},"targetDate":{"lt":"2026-12-31"}}',
  CycleFilter: '{"team":{"key":{"eq":"ENG"}},"isActive":{"eq":true}}',
  InitiativeFilter: '{"status":{"eq":"Active"}}',
  WorkflowStateFilter: '{"team":{"key":{"eq":"ENG"}},"type":{"eq":"started"}}',
  IssueLabelFilter: '{"name":{"containsIgnoreCase":"bug"}}',
  UserFilter: '{"email":{"eq":"ann@example.com"}}',
  DocumentFilter: '{"project":{"name":{"eq":"Website"}}}',
  CommentFilter: '{"createdAt":{"gte":"-P1W"}}',
};

/** A filter passed through to the tracker, as a JSON object. */
export function filterInput(type: string) {
  return jsonObject
    .optional()
    .describe(
      `The tracker's own filter (${type}), a JSON object: ${own(filterExamples, type) ?? '{}'}. Comparators: eq, neq, in, nin, lt, lte, gt, gte, contains, containsIgnoreCase, null; joined by "and" and "or"`,
    )
    .meta(inLists(`${type}: ${own(filterExamples, type) ?? '{}'}`));
}

/** A variable for a filter. */
export const filterVariable = (type: string) => variable(type, filterInput(type));

const size = z.number().int().min(1).max(100).optional();

/** Paging inputs, the same for tools and rows. */
export const page = {
  first: size.describe(`1 to 100 per page; ${defaultPageSize} by default`).meta(inLists('At most 100')),
  after: z.string().min(1).optional().describe('`next` of the previous page').meta(inLists(pagingInLists)),
  last: size.describe('Items on a page from the end, 1 to 100, instead of `first`').meta(inLists(false)),
  before: z
    .string()
    .min(1)
    .optional()
    .describe('The `next` of the previous page, when paging backwards with `last`')
    .meta(inLists(false)),
  includeArchived: z.boolean().optional().describe('Whether to include archived ones').meta(inLists('')),
  orderBy: z
    .enum(['createdAt', 'updatedAt'])
    .optional()
    .describe('Time to sort by, newest first; createdAt by default')
    .meta(inLists('')),
};

/** The variables that page a list (TRACK-004). */
export const pageVariables = {
  first: variable('Int', page.first),
  after: variable('String', page.after),
  last: variable('Int', page.last),
  before: variable('String', page.before),
  includeArchived: variable('Boolean', page.includeArchived),
  orderBy: variable('PaginationOrderBy', page.orderBy),
};

/** The fields of each item to return, applied on this server. */
export const projection = z
  .array(z.string())
  .optional()
  .describe('Only these fields of each item, such as ["identifier","title"]')
  .meta(inLists(''));

/** Describes an input, in lists of tools by other words if there are any. */
function described<Type extends z.ZodType>(type: Type, about: string, brief?: string): Type {
  return brief === undefined ? type.describe(about) : type.describe(about).meta(inLists(brief));
}

/** The id of a record, required. `brief` describes it in lists of tools, for an input whose name says the rest. */
export const recordId = (about: string, brief?: string) => described(z.string().min(1).max(200), about, brief);

/** An issue's id or identifier. */
export const issueId = recordId('The issue by identifier ("ENG-123") or id', 'Identifier ("ENG-123") or id');

/** Required text. */
export const text = (about: string) => z.string().min(1).describe(about);

/** Optional text; `brief` as for the id of a record. */
export const optionalText = (about: string, brief?: string) => described(z.string().optional(), about, brief);

/** Text that can be cleared with null; `brief` as for the id of a record. */
export const clearableText = (about: string, brief = about) =>
  z
    .string()
    .nullable()
    .optional()
    .describe(`${about}; null clears it`)
    .meta(inLists(`${brief}; null clears it`));

/** A list of texts, such as ids. */
export const texts = (about: string) => z.array(z.string().min(1)).max(250).optional().describe(about);

/** Optional Markdown. */
export const markdown = (about: string) => z.string().optional().describe(`${about}, as Markdown`);

/** A calendar day, without a time. */
export const day = (about: string) =>
  z.iso.date().optional().describe(`${about}, as YYYY-MM-DD`).meta(inLists('YYYY-MM-DD'));

/** A calendar day that can be cleared with null. */
export const clearableDay = (about: string) =>
  z.iso
    .date()
    .nullable()
    .optional()
    .describe(`${about}, as YYYY-MM-DD; null clears it`)
    .meta(inLists('YYYY-MM-DD; null clears it'));

const iso = { offset: true } as const;

/** A point in time, required. */
export const moment = (about: string) =>
  z.iso
    .datetime(iso)
    .describe(`${about}, as ISO 8601 such as 2026-11-23T09:00:00Z`)
    .meta(inLists('Such as 2026-11-23T09:00:00Z'));

const priorityNames = ['none', 'urgent', 'high', 'medium', 'low'] as const;

/** The priority: the tracker's number, or its name. */
export const priority = z
  .union([z.int().min(0).max(4), z.enum(priorityNames).transform((name) => priorityNames.indexOf(name))])
  .optional()
  .describe('Priority: 0 none, 1 urgent, 2 high, 3 medium, 4 low')
  .meta(inLists({ type: 'string', enum: [...priorityNames], description: 'Priority' }));

/** A colour. */
export const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a colour such as #f2c94c' })
  .optional()
  .describe('Colour as #rrggbb');

/** The size of an issue, in its team's points. */
export const estimate = z
  .number()
  .int()
  .min(0)
  .nullable()
  .optional()
  .describe("Estimate in the team's points; null clears it")
  .meta(inLists('Points; null clears it'));

/** The states of an initiative. */
export const initiativeStatus = z
  .enum(['Proposed', 'Planned', 'Active', 'Completed', 'Canceled'])
  .optional()
  .describe('Status of the initiative');

/** The types of workflow states. */
export const stateTypes = ['triage', 'backlog', 'unstarted', 'started', 'completed', 'canceled'] as const;

/** What an issue can be to another. */
export const relationTypes = ['related', 'blocks', 'blocked_by', 'duplicate'] as const;

/** An id created by the caller. */
export const ownId = z
  .uuid({ version: 'v4' })
  .optional()
  .describe('Your own UUID v4: a repeated call with it is refused, to avoid duplicates');

/** The resource types of webhooks, in neutral terms. */
export const resourceTypes = [
  'Issues',
  'Issue comments',
  'Issue attachments',
  'Issue labels',
  'Comment reactions',
  'Projects',
  'Project updates',
  'Documents',
  'Initiatives',
  'Initiative updates',
  'Cycles',
  'Customers',
  'Customer requests',
  'Users',
  'Issue SLA',
];
