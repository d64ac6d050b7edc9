import { z } from 'zod';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import { path } from '#adapters/services/vault/inputs.ts';
import { noteRestored, noteVersions } from '#adapters/services/vault/outputs.ts';
import { rows } from '#adapters/services/vault/rows.ts';
import { whenGiven } from '#domain/operations/effect.ts';
import { failed } from '#domain/operations/outcome.ts';

const recipe = recipesOver(rows);

/** The failure in a connected notes app, which keeps its versions to itself. */
const onlyTeams = failed(
  'rejected',
  'The notes app behind this connection has no request for versions or deleted notes; look for them in the app. workspace_undo takes back what this app changed.',
);

/** Tools for the earlier versions of notes (VER-012 to VER-016). */
export const versionRecipes = {
  'notes.versions': recipe(
    'read',
    'Lists earlier versions of a note, also of a deleted one: who changed it, when, how many lines',
    {
      path,
      limit: z.int().min(1).max(100).default(20).describe('Versions a page'),
      cursor: z
        .string()
        .regex(/^\d{1,9}$/, { error: 'must be next of the page before' })
        .optional()
        .describe('next of the page before'),
    },
    {
      tool: 'vault_note_versions',
      title: 'Lists versions of a note',
      output: noteVersions,
      route: { method: 'GET', path: '/versions/{+path}' },
    },
    async () => onlyTeams,
  ),
  'notes.restore': recipe(
    'add',
    'Brings a deleted note back; with a version, the text that a note had before it, over what is there',
    { path, version: z.string().min(1).max(100).optional().describe('Id from vault_note_versions') },
    {
      tool: 'vault_note_restore',
      title: 'Restores a note',
      output: noteRestored,
      effectBy: whenGiven('lose', 'version'),
      route: { method: 'POST', path: '/restore/{+path}' },
    },
    async () => onlyTeams,
  ),
} as const;
