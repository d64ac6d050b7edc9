import { z } from 'zod';
import { wholeNumber } from '#adapters/input/texts.ts';
import { defaultPageSize, pagingInLists } from '#adapters/services/requests/page-size.ts';
import { documentStateOf, documentStates, settableStates } from '#domain/signing/document-state.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

/** An identifier of the service: it fills one path segment, so it is never empty or a dot segment. */
const identifier = z
  .string()
  .min(1)
  .max(200)
  .refine((value) => value !== '.' && value !== '..', { error: 'must be an identifier' });

/** A document's id. */
export const documentId = identifier
  .describe('Id of the document, such as "msFYActMfJHqNTKH8YSvF1"')
  .meta(inLists('Id of the document'));
/** The id of a recipient within a document. */
export const recipientId = identifier.describe("The id of the recipient in the document, not the contact's id");
/** A template's id. */
export const templateId = identifier.describe('The id of the template');
/** The id of a quote within a document. */
export const quoteId = identifier.describe('The id of the quote in the document');
/** The id of a link between a document and a CRM record. */
export const linkedObjectId = identifier.describe('The id of the link, as the list of linked objects has it');
/** The id of a form, folder or content library item. */
export const itemId = (what: string) => identifier.describe(`The id of the ${what}`);
/** The id of a folder to list or to add to. */
export const folderUuid = z.string().min(1).optional();

/** A string of a known format; the schema shown to models has the format's name and not its long pattern. */
export const formatted = (format: 'date-time' | 'email' | 'uri', type: z.ZodType, what: string) =>
  z
    .string()
    .refine((value) => type.safeParse(value).success, { error: `must be ${what}` })
    .meta({ format });

/** A point in time in the service's format. */
export const moment = formatted(
  'date-time',
  z.iso.datetime({ offset: true }),
  'a moment such as 2026-11-21T09:00:00Z',
).optional();

/** An e-mail address. */
export const email = formatted('email', z.email(), 'an e-mail address');

/** The address of a PDF that the service fetches itself. */
export const publicPdf = formatted('uri', z.url({ protocol: /^https$/ }), 'an https address').optional();

/** Paging inputs (SIGN-007), and the fields of each item to return. */
export const paging = {
  page: wholeNumber(1, 1_000_000)
    .optional()
    .describe('Page, from 1; takes the `next` of the previous page')
    .meta(inLists(pagingInLists)),
  count: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(defaultPageSize)
    .describe('Items per page, 1 to 100')
    .meta(inLists('At most 100')),
  fields: z
    .array(z.string())
    .optional()
    .describe('Only these fields of each item, such as ["id", "name", "status"]; all by default')
    .meta(inLists('')),
};

/** The options of every paged row: its page style, and that `fields` is applied on this server. */
export const listOptions = { page: 'page', local: ['fields'] } as const;

/** A text to look for. */
export const search = z.string().min(1).optional();

const inAnswers = <State extends string>(states: readonly State[]) =>
  states.map((state) => `document.${state}` as const);

/** A state, bare or as answers have it, `document.sent`; the bare state is what is sent. */
export const documentState = z
  .enum([...documentStates, ...inAnswers(documentStates)])
  .transform((word) => documentStateOf(word) ?? word)
  .optional()
  .meta(inLists({ type: 'string', enum: documentStates }));

/** A state that can be set manually, bare or as answers have it. */
export const settableState = z
  .enum([...settableStates, ...inAnswers(settableStates)])
  .transform((word) => settableStates.find((state) => word.endsWith(state)) ?? 'completed');

/** An optional boolean. */
export const flag = z.boolean().optional();

/** The lifetime of an embedded session in seconds, within bounds. */
export const lifetime = (bounds: Readonly<{ min: number; max: number }>) =>
  z
    .number()
    .int()
    .min(bounds.min)
    .max(bounds.max)
    .optional()
    .describe(`Seconds that the session lives, ${bounds.min} to ${bounds.max}; 3600 by default`);
