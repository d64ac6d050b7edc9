import { z } from 'zod';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import { if_match, path } from '#adapters/services/vault/inputs.ts';
import { headingRenamed, noteMoved, tagRenamed } from '#adapters/services/vault/outputs.ts';
import { rows } from '#adapters/services/vault/rows.ts';
import { failed } from '#domain/operations/outcome.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

const recipe = recipesOver(rows);

/** The failure of a change with all links in a connected notes app, which has no request for it. */
const onlyTeams = (what: string) =>
  failed(
    'rejected',
    `The notes app behind this connection has no request that ${what}, and requests for each note could not be finished after an interruption. Nothing was changed; do it in the notes app.`,
  );

const title = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine((text) => !/[\r\n]/.test(text), { error: 'must be one line' });

/** A tag to rename, or its new name: parts of letters, digits, `_`, `-` and emoji between slashes. */
const tag = z
  .string()
  .max(200)
  .transform((text) => text.trim().replace(/^#/, ''))
  .refine((text) => text.split('/').every((part) => /^[\p{L}\p{N}\p{M}\p{Extended_Pictographic}_-]+$/u.test(part)), {
    error: 'must be a tag: letters, digits, "_" and "-", with "/" between its parts',
  })
  .refine((text) => /[^\d/]/.test(text), { error: 'must not be digits only' });

/** Tools that change a note and all that refers to it (VAULT-024 to VAULT-026). */
export const vaultWideRecipes = {
  'notes.move': recipe(
    'write',
    'Moves or renames a note or file; links to it are rewritten, unclear ones left and listed. Refused if the new path is taken',
    {
      path,
      to: path
        .describe('The new path, or a folder with "/" at the end')
        .meta(inLists('New path, or a folder with "/" at the end')),
      if_match,
    },
    {
      tool: 'vault_note_move',
      title: 'Moves a note',
      output: noteMoved,
      route: { method: 'POST', path: '/move/{+path}' },
    },
    async () => onlyTeams('moves a note with the links to it'),
  ),
  'headings.rename': recipe(
    'write',
    'Renames a heading and rewrites the links to it in all notes; unclear ones are left and listed',
    {
      path,
      target: z.string().min(1).max(1_000).describe('"History", "Deal::History", or "History#2" if repeated'),
      title: title.describe('The new text'),
      if_match,
    },
    {
      tool: 'vault_heading_rename',
      title: 'Renames a heading',
      output: headingRenamed,
      route: { method: 'POST', path: '/rename-heading/{+path}' },
    },
    async () => onlyTeams('renames a heading with the links to it'),
  ),
  'tags.rename': recipe(
    'write',
    'Renames a tag in the frontmatter and text of all notes, with the tags below it (a/b); says how many',
    {
      tag: tag.describe('Such as "customer"'),
      to: tag.describe('The new name'),
    },
    {
      tool: 'vault_tag_rename',
      title: 'Renames a tag in all notes',
      output: tagRenamed,
      route: { method: 'POST', path: '/tags/rename' },
    },
    async () => onlyTeams('renames a tag'),
  ),
} as const;
