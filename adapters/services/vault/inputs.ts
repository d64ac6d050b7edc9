import { z } from 'zod';
import { isBlank } from '#domain/notes/vault-path.ts';
import { withoutEnd } from '#domain/text/without-end.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

/** A note's path from the vault's root: no leading slash, no `..`. */
export const path = z
  .string()
  .min(1)
  .max(1_000)
  .refine((value) => !value.startsWith('/') && !value.split('/').includes('..') && !value.includes('\0'), {
    error: 'must be a path inside the vault, without a leading slash and without ".."',
  })
  .refine((value) => !value.split('/').some((name) => name !== '' && isBlank(name)), {
    error: 'must have names that can be seen',
  })
  .describe('Path of the note from the root of the vault, such as "Deals/Acme.md"')
  .meta(inLists('Such as "Deals/Acme.md"'));

/** A folder's path without leading and trailing slashes, for a request. */
export function folderPath(text: string): string {
  return withoutEnd(text.replace(/^\/+/, ''), '/');
}

/** A note's text. */
export const content = z.string().describe('Markdown text');

/** The content that a note, or a part of one, is set to. */
export const patchContent = z
  .union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.unknown()), z.record(z.string(), z.unknown())])
  .describe('Markdown text; for frontmatter any JSON value');

/** The representation of a note to read. */
export const format = z
  .enum(['markdown', 'note', 'document_map'])
  .default('markdown')
  .describe(
    'markdown: the text; note: text, frontmatter, tags and dates as JSON; document_map: its headings, blocks and frontmatter keys',
  )
  .meta(inLists('note: with frontmatter, tags, dates; document_map: headings, blocks, keys'));

/** Which periodic note. */
export const period = z.enum(['daily', 'weekly', 'monthly', 'quarterly', 'yearly']).describe('Which periodic note');

/** A calendar day, to be passed on as year, month and day. */
export const date = z.iso
  .date()
  .describe('A day of it, such as "2026-03-31"; without it the current one')
  .meta(inLists('A day of it, such as "2026-03-31"'));

/** The parts of a day in a path. */
export const datedPath = {
  period,
  year: z.number().int().min(1).max(9999).describe('Year, such as 2026'),
  month: z.number().int().min(1).max(12).describe('Month, 1 to 12'),
  day: z.number().int().min(1).max(31).describe('Day of the month, 1 to 31'),
};

/** Where and how a note is patched; each input is sent as a header (VAULT-004). */
export const patchTarget = {
  operation: z.enum(['append', 'prepend', 'replace']).describe('What to do with the content at the target'),
  target_type: z.enum(['heading', 'block', 'frontmatter']).describe('What kind of place the target is'),
  target: z
    .string()
    .min(1)
    .describe('A heading by its full path ("Deal::History"), a block id without "^", or a frontmatter key'),
  target_delimiter: z
    .string()
    .regex(/^[\x21-\x7e]+$/, { error: 'must be printable ASCII without spaces' })
    .optional()
    .describe('What separates headings in the target; "::" by default'),
  trim_target_whitespace: z.boolean().optional().describe('Whether white space around the target is trimmed'),
  create_target_if_missing: z.boolean().optional().describe('Whether to create a missing heading or frontmatter key'),
  reject_if_content_preexists: z.boolean().optional().describe('Whether to refuse content that exists already'),
};

/** The headers that carry `patchTarget`. */
export const patchHeaders = {
  operation: { header: 'Operation', encode: 'plain' },
  target_type: { header: 'Target-Type', encode: 'plain' },
  target: { header: 'Target', encode: 'percent' },
  target_delimiter: { header: 'Target-Delimiter', encode: 'plain' },
  trim_target_whitespace: { header: 'Trim-Target-Whitespace', encode: 'plain' },
  create_target_if_missing: { header: 'Create-Target-If-Missing', encode: 'plain' },
  reject_if_content_preexists: { header: 'Reject-If-Content-Preexists', encode: 'plain' },
} as const;

/** The condition of a write: the revision that a read of the note stated. */
export const if_match = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Revision that a read stated: refused if the note has changed since')
  .meta(inLists('Only at this revision'));

/** Conditions of a write: newer servers answer 412 when they do not hold, older ones ignore them. */
export const conditions = {
  if_match,
  if_none_match: z.literal('*').optional().describe('"*": only when there is no such note yet'),
};

/** The headers that carry `conditions`. */
export const conditionHeaders = {
  if_match: { header: 'If-Match', encode: 'plain' },
  if_none_match: { header: 'If-None-Match', encode: 'plain' },
} as const;

/** Tags, with or without the leading `#`. */
export const tags = z
  .array(
    z
      .string()
      .transform((tag) => tag.trim().replace(/^#/, ''))
      .refine((tag) => /^[^\s#,]+$/.test(tag), { error: 'must be tags without spaces or commas' }),
  )
  .min(1)
  .max(100)
  .describe('Tags, such as ["customer", "q3/review"]')
  .meta(inLists('Such as ["customer", "q3/review"]'));

/** The effects of writing a note, by its mode. */
export const effectOfMode = [
  { when: { mode: ['overwrite'] }, effect: 'lose' },
  { when: { mode: ['append'] }, effect: 'change' },
] as const;

/** The effects of changing a part of a note: text is added, unless it replaces what is there; a key is replaced. */
export const effectOfPatch = [
  { when: { operation: ['append', 'prepend'] }, effect: 'change' },
  { when: { operation: 'absent', target_type: ['heading', 'block'] }, effect: 'change' },
] as const;
