import { z } from 'zod';
import { del, get, type PathNames, patch, post, put, type Shape } from '#adapters/services/operation-table.ts';
import { done } from '#adapters/services/output.ts';
import {
  conditionHeaders,
  conditions,
  content,
  datedPath,
  format,
  patchContent,
  patchHeaders,
  patchTarget,
  path,
  period,
} from '#adapters/services/vault/inputs.ts';
import { commands, folder, found, foundByQuery } from '#adapters/services/vault/outputs.ts';

type InputsFor<Path extends string> = Shape & Readonly<Record<PathNames<Path>, z.ZodType>>;

const text = { body: 'content', contentType: { kind: 'markdown' }, answer: 'none', output: done } as const;

const read = <const Path extends string, Inputs extends InputsFor<Path>>(
  address: Path,
  what: string,
  inputs: Inputs,
  options: Readonly<{ tool?: string }> = {},
) => get(address, `Reads ${what}`, { ...inputs, format }, { ...options, accept: { input: 'format' }, answer: 'text' });

const append = <const Path extends string, Inputs extends InputsFor<Path>>(
  address: Path,
  what: string,
  inputs: Inputs,
) => post(address, `Appends Markdown to ${what}, making it when it is missing`, { ...inputs, content }, text);

const overwrite = <const Path extends string, Inputs extends InputsFor<Path>>(
  address: Path,
  what: string,
  inputs: Inputs,
) =>
  put(
    address,
    `Overwrites ${what}, making it when it is missing`,
    { ...inputs, content, ...conditions },
    { ...text, effect: 'destroy', headers: conditionHeaders },
  );

const change = <const Path extends string, Inputs extends InputsFor<Path>>(
  address: Path,
  what: string,
  inputs: Inputs,
) =>
  patch(
    address,
    `Changes a part of ${what}: under a heading, at a block or in the frontmatter`,
    { ...inputs, ...patchTarget, if_match: conditions.if_match, content: patchContent },
    {
      body: 'content',
      contentType: { kind: 'markdown' },
      answer: 'text',
      effect: 'destroy',
      headers: { ...patchHeaders, if_match: conditionHeaders.if_match },
    },
  );

const remove = <const Path extends string, Inputs extends InputsFor<Path>>(
  address: Path,
  what: string,
  inputs: Inputs,
  options: Readonly<{ tool?: string }> = {},
) => del(address, `Deletes ${what}`, inputs, { ...options, answer: 'none', output: done });

/** Every route of the contract's table (Outbound: vault) that is one request. */
export const rows = {
  'system.info': get('/', 'Tells about the vault server and whether the key is accepted', {}),
  'system.certificate': get(
    '/vault-api.crt',
    'Gets the certificate of the vault server',
    {},
    {
      answer: 'text',
      accept: { kind: '*/*' },
      own: { path: '/obsidian-local-rest-api.crt' },
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

  'notes.read': read('/vault/{+path}', 'a note', { path }, { tool: 'vault_note_read' }),
  'notes.append': append('/vault/{+path}', 'a note', { path }),
  'notes.put': overwrite('/vault/{+path}', 'a note', { path }),
  'notes.patch': change('/vault/{+path}', 'a note', { path }),
  'notes.delete': remove('/vault/{+path}', 'a note', { path }, { tool: 'vault_note_delete' }),

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
    'Searches the text and names of all notes',
    {
      query: z.string().min(1).max(1_000).describe('Text to look for'),
      contextLength: z
        .number()
        .int()
        .min(0)
        .max(2_000)
        .optional()
        .describe('Characters shown around a match; 100 when not given'),
    },
    { tool: 'vault_search', output: found, effect: 'read', isIdempotent: true, query: ['query', 'contextLength'] },
  ),
  'search.advanced': post(
    '/search/',
    'Searches notes by a JsonLogic rule or a DQL query over path, frontmatter, tags and text',
    {
      query: z
        .union([z.string().min(1), z.record(z.string(), z.unknown())])
        .describe(
          'JsonLogic: a rule such as {"==": [{"var": "frontmatter.status"}, "open"]}; DQL: a TABLE query as text',
        ),
      type: z.enum(['jsonlogic', 'dql']).default('jsonlogic').describe('Which language the query is in'),
    },
    {
      tool: 'vault_search_advanced',
      output: foundByQuery,
      effect: 'read',
      isIdempotent: true,
      body: 'query',
      contentType: { input: 'type' },
    },
  ),

  'commands.list': get(
    '/commands/',
    'Lists the commands of the notes app',
    {},
    { tool: 'vault_commands_list', output: commands },
  ),
  'commands.run': post(
    '/commands/{command_id}/',
    'Runs a command of the notes app, whatever it does',
    { command_id: z.string().min(1).describe('Id from the list of commands, such as "daily-notes"') },
    { tool: 'vault_command_run', effect: 'destroy', answer: 'none', output: done },
  ),
  'open.file': post(
    '/open/{+filename}',
    'Opens a note in the notes app, making it when it is missing',
    { filename: path, newLeaf: z.boolean().optional().describe('Whether it opens beside the others') },
    { isIdempotent: true, query: ['newLeaf'], answer: 'none', output: done },
  ),
} as const;
