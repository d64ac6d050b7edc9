import { z } from 'zod';
import type { ExplainMissing } from '#adapters/services/definitions/provider.ts';
import type { CallRow } from '#adapters/services/requests/operation-table.ts';
import { isNote, noteName } from '#domain/notes/vault-path.ts';
import { unknownValue } from '#domain/operations/input-error.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { nearest } from '#domain/text/nearest.ts';

const listing = z.object({ files: z.array(z.string()) });
const commandList = z.object({ commands: z.array(z.object({ id: z.string(), name: z.string() })) });

const hits = z.array(z.object({ filename: z.string() }));

/** The values that there are, and the one that was probably meant. */
type Values = Readonly<{ known: readonly string[]; meant?: string | undefined }>;

/** The vault's answer for something that is not there, when it says no more. */
const bareAnswer = /: Not Found\.?$/;

/** Explains a note, a folder or a command that is not there: with what is beside it. */
export const explainMissing: ExplainMissing = async ({ input, failure }, { call }) => {
  if (failure.reason !== 'not_found' || !bareAnswer.test(failure.message)) return null;
  const { path, dir_path: folder, command_id: command } = input;
  if (typeof path === 'string') return missingNote(call, path);
  if (typeof folder === 'string')
    return missing('dir_path', 'folder', folder, { known: await foldersBeside(call, folder) });
  return typeof command === 'string'
    ? missing('command_id', 'command', command, { known: await commandIds(call) })
    : null;
};

/**
 * A note that is not there: with the nearest beside it or, if none is near, those elsewhere whose name is nearly that
 * of the path, or contains it.
 */
async function missingNote(call: CallRow, path: string): Promise<Failure> {
  const beside = await besides(call, path);
  const near = nearNote(path, beside);
  if (near !== undefined) return missing('path', 'note', path, { known: beside, meant: near });
  const { alike, containing } = await notesNamed(call, path);
  const elsewhere = [...alike, ...containing].slice(0, maxElsewhere);
  return missing('path', 'note', path, { known: elsewhere.length > 0 ? elsewhere : beside, meant: alike[0] });
}

/** The maximum number of notes that are named from other folders. */
const maxElsewhere = 10;

/** The path that was probably meant; the ending may be left out. */
const nearNote = (path: string, known: readonly string[]): string | undefined =>
  [path, ...(isNote(path) ? [] : [`${path}.md`])].flatMap((one) => nearest(one.slice(0, maxCompared), known))[0];

/** The notes in all folders whose name is nearly that of the path, and those whose name contains it. */
async function notesNamed(call: CallRow, path: string): Promise<NamedNotes> {
  const name = (isNote(path) ? noteName(path) : path.slice(path.lastIndexOf('/') + 1)).slice(0, maxCompared);
  const found = await call('search.simple', { query: name, contextLength: 0 });
  const paths = found.ok ? (hits.safeParse(found.data).data ?? []).map(({ filename }) => filename) : [];
  const near = new Set(nearest(name, paths.map(noteName)));
  const alike = paths.filter((one) => near.has(noteName(one)));
  const isContained = (one: string) => noteName(one).toLowerCase().includes(name.trim().toLowerCase());
  return { alike, containing: paths.filter((one) => isContained(one) && !near.has(noteName(one))) };
}

type NamedNotes = Readonly<{ alike: readonly string[]; containing: readonly string[] }>;

function missing(place: string, title: string, given: string, values: Values): Failure {
  const error = unknownValue([place], { title, given, ...values });
  return { ...failed('not_found', error.message), inputErrors: [error] };
}

/** The paths in the folder of a path; if that is not there either, those in the nearest folder of the root. */
async function besides(call: CallRow, path: string): Promise<readonly string[]> {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  const listed = folder === '' ? null : await pathsIn(call, folder);
  if (listed !== null) return listed;
  const root = await call('folders.root', {});
  const names = root.ok ? namesIn(root.data) : [];
  const folders = names.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
  const near = folder === '' ? undefined : nearest(folder.slice(0, maxCompared), folders)[0];
  return near === undefined ? names : ((await pathsIn(call, near)) ?? names);
}

/** The maximum number of characters of a folder's path that are compared. */
const maxCompared = 100;

/** The paths in a folder; null when it cannot be listed. */
async function pathsIn(call: CallRow, folder: string): Promise<readonly string[] | null> {
  const listed = await call('folders.list', { dir_path: folder });
  return listed.ok ? namesIn(listed.data).map((name) => `${folder}/${name}`) : null;
}

async function foldersBeside(call: CallRow, folder: string): Promise<readonly string[]> {
  const paths = await besides(call, folder.replace(/\/$/, ''));
  return paths.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
}

async function commandIds(call: CallRow): Promise<readonly string[]> {
  const listed = await call('commands.list', {});
  return listed.ok ? (commandList.safeParse(listed.data).data?.commands ?? []).map(({ id }) => id) : [];
}

function namesIn(data: unknown): readonly string[] {
  return listing.safeParse(data).data?.files ?? [];
}
