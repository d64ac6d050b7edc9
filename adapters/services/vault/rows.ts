import { z } from 'zod';
import { done } from '#adapters/services/answers/output.ts';
import type { Shape } from '#adapters/services/requests/operation-table.ts';
import { del, get, type PathNames, patch, post, put } from '#adapters/services/requests/request-rows.ts';
import { deleteSummary } from '#adapters/services/vault/details/deleted-for-good.ts';
import {
  conditionHeaders,
  conditions,
  content,
  datedPath,
  effectOfPatch,
  format,
  if_match,
  patchContent,
  patchHeaders,
  patchTarget,
  path,
  period,
} from '#adapters/services/vault/inputs.ts';
import { commands, folder, found, foundByQuery } from '#adapters/services/vault/outputs.ts';

type InputsFor<Path extends string> = Shape & Readonly<Record<PathNames<Path>, z.ZodType>>;

const matchHeader = { if_match: conditionHeaders.if_match } as const;

const text = { body: 'content', contentType: { kind: 'markdown' }, answer: 'none', output: done } as const;

const inFormat = { accept: { input: 'format' }, answer: 'text' } as const;

const read = <const Path extends string, Inputs extends InputsFor<Path>>(address: Path, what: string, inputs: Inputs) =>
  get(address, `Reads ${what}`, { ...inputs, format }, inFormat);

const append = <const Path extends string, Inputs extends InputsFor<Path>>(
  address: Path,
  what: string,
  inputs: Inputs,
) =>
  post(
    address,
    `Appends Markdown to ${what}, creating it if missing`,
    { ...inputs, content, if_match },
    { ...text, effect: 'change', headers: matchHeader },
  );

const overwrite = <const Path extends string, Inputs extends InputsFor<Path>>(
  address: Path,
  what: string,
  inputs: Inputs,
) =>
  put(
    address,
    `Overwrites ${what}, creating it if missing`,
    { ...inputs, content, ...conditions },
    {
      ...text,
      effect: 'lose',
      effectBy: [{ when: { if_none_match: ['*'] }, effect: 'add' }],
      headers: conditionHeaders,
    },
  );

const change = <const Path extends string, Inputs extends InputsFor<Path>>(
  address: Path,
  what: string,
  inputs: Inputs,
) =>
  patch(
    address,
    `Changes a part of ${what}: under a heading, at a block or in the frontmatter`,
    { ...inputs, ...patchTarget, if_match, content: patchContent },
    {
      body: 'content',
      contentType: { kind: 'markdown' },
      answer: 'text',
      effect: 'lose',
      effectBy: effectOfPatch,
      headers: { ...patchHeaders, ...matchHeader },
    },
  );

const gone = { answer: 'none', output: done, headers: matchHeader } as const;

const remove = <const Path extends string, Inputs extends InputsFor<Path>>(
  address: Path,
  what: string,
  inputs: Inputs,
) => del(address, `Deletes ${what}`, { ...inputs, if_match }, gone);

/** Every single-request route of the vault's interface (VAULT-002). */
export const rows = {
  'system.info': get('/', 'Gets the status of the vault server, and whether the key is accepted', {}),
  'system.certificate': get(
    '/vault-api.crt',
    'Gets the certificate of the vault server',
    {},
    {
      answer: 'text',
      accept: { kind: '*/*' },
    },
  ),
  'system.openapi': get(
    '/openapi.yaml',
    'Gets the operation list of the vault server',
    {},
    {
      answer: 'text',
      accept: { kind: '*/*' },
    },
  ),

  'active.read': read('/active/', 'the active note', {}),
  'active.append': append('/active/', 'the active note', {}),
  'active.put': overwrite('/active/', 'the active note', {}),
  'active.patch': change('/active/', 'the active note', {}),
  'active.delete': remove('/active/', 'the active note', {}),

  'folders.root': get('/vault/', 'Lists the files and folders at the root of the vault', {}, { output: folder }),
  'folders.list': get(
    '/vault/{+dir_path}/',
    'Lists the files and folders in a folder',
    { dir_path: path.describe('Path of the folder, such as "Deals"') },
    { output: folder },
  ),

  'files.read': get(
    '/vault/{+path}',
    'Reads a file as it is',
    { path },
    { answer: 'file', accept: { kind: '*/*' }, route: null },
  ),

  'notes.read': get(
    '/vault/{+path}',
    'Reads a note by its path with its ending; a missing one is the error not_found',
    { path, format },
    { title: 'Reads a note', ...inFormat },
  ),
  'notes.append': append('/vault/{+path}', 'a note', { path }),
  'notes.put': overwrite('/vault/{+path}', 'a note', { path }),
  'notes.patch': change('/vault/{+path}', 'a note', { path }),
  'notes.delete': del(
    '/vault/{+path}',
    deleteSummary,
    { path, if_match },
    {
      tool: 'vault_note_delete',
      standsFor: ['active.delete', 'periodic.delete', 'periodic_dated.delete'],
      title: 'Deletes a note',
      ...gone,
    },
  ),

  'periodic.read': read('/periodic/{period}/', 'the current periodic note', { period }),
  'periodic.append': append('/periodic/{period}/', 'the current periodic note', { period }),
  'periodic.put': overwrite('/periodic/{period}/', 'the current periodic note', { period }),
  'periodic.patch': change('/periodic/{period}/', 'the current periodic note', { period }),
  'periodic.delete': remove('/periodic/{period}/', 'the current periodic note', { period }),

  'periodic_dated.read': read('/periodic/{period}/{year}/{month}/{day}/', 'the periodic note of a day', datedPath),
  'periodic_dated.append': append('/periodic/{period}/{year}/{month}/{day}/', 'the periodic note of a day', datedPath),
  'periodic_dated.put': overwrite('/periodic/{period}/{year}/{month}/{day}/', 'the periodic note of a day', datedPath),
  'periodic_dated.patch': change('/periodic/{period}/{year}/{month}/{day}/', 'the periodic note of a day', datedPath),
  'periodic_dated.delete': remove('/periodic/{period}/{year}/{month}/{day}/', 'the periodic note of a day', datedPath),

  'search.simple': post(
    '/search/simple/',
    'Finds notes whose name or text has all the words, with the text around each match; not paged',
    {
      query: z.string().min(1).max(1_000).describe('Words to look for, such as "acme renewal"; case is ignored'),
      contextLength: z
        .number()
        .int()
        .min(0)
        .max(2_000)
        .optional()
        .describe('Characters shown around a match; 100 by default'),
    },
    {
      output: found,
      effect: 'read',
      isIdempotent: true,
      query: ['query', 'contextLength'],
    },
  ),
  'search.advanced': post(
    '/search/',
    'Finds notes by a JsonLogic rule over path, content, frontmatter, tags and stat: by a status, a tag, a date; or by DQL, which some notes apps lack. Not paged; filename is the path',
    {
      query: z
        .union([z.string().min(1), z.record(z.string(), z.unknown())])
        .describe(
          'JsonLogic: a rule such as {"==": [{"var": "frontmatter.status"}, "open"]} or {"in": ["deal", {"var": "tags"}]}; DQL: a query such as "TABLE status, due FROM #deal WHERE due < date(today) + dur(7 days) SORT due"',
        ),
      type: z.enum(['jsonlogic', 'dql']).default('jsonlogic').describe('Which language the query is in'),
    },
    {
      tool: 'vault_search_advanced',
      title: 'Finds notes by a rule',
      output: foundByQuery,
      effect: 'read',
      isIdempotent: true,
      body: 'query',
      contentType: { input: 'type' },
    },
  ),

  'commands.list': get(
    '/commands/',
    'Lists the commands of the notes app with their ids, for vault_command_run; not paged',
    {},
    { tool: 'vault_commands_list', title: 'Lists the commands of the notes app', output: commands },
  ),
  'commands.run': post(
    '/commands/{command_id}/',
    'Runs a command of the notes app by its id, whatever it does: some change or delete notes. Returns no result',
    { command_id: z.string().min(1).describe('Id from vault_commands_list, such as "daily-notes"') },
    {
      tool: 'vault_command_run',
      title: 'Runs a command of the notes app',
      // Which commands there are is not known: some publish or send notes.
      effect: 'reach',
      answer: 'none',
      output: done,
    },
  ),
  'open.file': post(
    '/open/{+filename}',
    'Opens a note in the notes app, creating it if missing',
    { filename: path, newLeaf: z.boolean().optional().describe('Whether to open it in a new pane') },
    { isIdempotent: true, query: ['newLeaf'], answer: 'none', output: done },
  ),
} as const;
