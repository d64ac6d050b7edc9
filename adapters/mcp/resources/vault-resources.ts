import { z } from 'zod';
import type { ResourceContents } from '#adapters/mcp/protocol/messages.ts';
import type { MethodContext } from '#adapters/mcp/protocol/method.ts';
import { includesService } from '#adapters/mcp/protocol/tool-choice.ts';
import { pathInUri } from '#adapters/mcp/resources/path-in-uri.ts';
import type { ListPage, ResourceEntry, ResourceSource } from '#adapters/mcp/resources/resource.ts';
import type { RunOperationFor } from '#application/operations/run-operation.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import { isObject } from '#domain/json/json-data.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { foldedName } from '#domain/text/folded-name.ts';
import { isPermitted } from '#domain/users/rights.ts';

/** Limits: notes per page, folders read per page, and pending folders in a cursor. */
const bounds = { notes: 100, folders: 20, waiting: 500 };
const scheme = 'vault://';
const template = 'vault://{+path}';

const found = z.array(z.object({ filename: z.string() }));

/** The address of a note: its path with each segment percent-encoded. */
export function noteUri(path: string): string {
  return `${scheme}${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** Offers the vault's notes as resources, read over the user's own connection. Null when the catalog has no vault. */
export function vaultResources({ operations }: OperationCatalog, run: RunOperationFor): ResourceSource | null {
  const read = operations.find(({ tool }) => tool === 'vault_note_read');
  const list = operations.find(({ tool }) => tool === 'vault_vault_list');
  const search = operations.find(({ service, name }) => service === 'vault' && name === 'search.simple');
  return read === undefined || list === undefined
    ? null
    : new VaultResources(run, { read: read.name, list: list.name, search: search?.name ?? null });
}

class VaultResources implements ResourceSource {
  readonly templates = [
    {
      uriTemplate: template,
      name: 'note',
      title: 'Note',
      description: 'A Markdown note of the vault, by its path, such as Deals/Acme.md',
      mimeType: 'text/markdown',
    },
  ];
  readonly #run: RunOperationFor;
  readonly #names: Readonly<{ read: string; list: string; search: string | null }>;

  /** `names` are those of the operations that it runs; without a search, paths are completed by their folder only. */
  constructor(run: RunOperationFor, names: Readonly<{ read: string; list: string; search: string | null }>) {
    this.#run = run;
    this.#names = names;
  }

  isShownTo({ user, choice }: Pick<MethodContext, 'user' | 'choice'>): boolean {
    return isPermitted(user, 'vault') && includesService(choice, 'vault');
  }

  serviceOf(uri: string): ServiceKey | null {
    return uri.startsWith(scheme) ? 'vault' : null;
  }

  /** Lists folder by folder; the cursor holds the pending folders and the position in the first one. */
  async list(context: MethodContext, cursor: string | null): Promise<ListPage<ResourceEntry> | null> {
    const place = cursor === null ? { folders: [''], shown: 0 } : readCursor(cursor);
    if (place === null) return null;
    const entries: ResourceEntry[] = [];
    let { folders, shown } = place;
    for (let looked = 0; looked < bounds.folders; looked += 1) {
      const [folder, ...others] = folders;
      if (folder === undefined) break;
      const names = await this.#namesIn(context, folder);
      const notes = names.filter((name) => name.endsWith('.md')).slice(shown);
      const room = bounds.notes - entries.length;
      entries.push(...notes.slice(0, room).map((name) => entryOf(`${folder}${name}`)));
      if (notes.length > room) return { entries, next: writeCursor(folders, shown + room) };
      const inside = names.filter((name) => name.endsWith('/')).map((name) => `${folder}${name}`);
      folders = [...inside, ...others].slice(0, bounds.waiting);
      shown = 0;
    }
    return { entries, next: folders.length === 0 ? null : writeCursor(folders, 0) };
  }

  async read(context: MethodContext, uri: string): Promise<readonly ResourceContents[] | null> {
    const path = pathInUri(uri, scheme);
    if (path === null) return null;
    const { user, signal } = context;
    const outcome = await this.#run(user, { service: 'vault', name: this.#names.read, input: { path }, signal });
    if (!outcome.ok || typeof outcome.data !== 'string') return null;
    return [{ uri, mimeType: 'text/markdown', text: outcome.data }];
  }

  addressOf({ user }: Pick<MethodContext, 'user'>, uri: string): string | null {
    const path = isPermitted(user, 'vault') ? pathInUri(uri, scheme) : null;
    return path === null ? null : noteUri(path);
  }

  /** Completes a path with the entries of the folder typed so far, then with notes anywhere that have it in their paths. */
  async complete(context: MethodContext, uriTemplate: string, typed: string): Promise<readonly string[] | null> {
    if (uriTemplate !== template) return null;
    const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
    const wanted = foldedName(typed);
    const names = await this.#namesIn(context, folder);
    const beside = names.map((name) => `${folder}${name}`).filter((path) => foldedName(path).startsWith(wanted));
    const elsewhere = wanted === '' ? [] : await this.#pathsWith(context, typed);
    return [...new Set([...beside, ...elsewhere.filter((path) => foldedName(path).includes(wanted))])];
  }

  /** The paths of the notes that a search for a text finds. */
  async #pathsWith({ user, signal }: MethodContext, text: string): Promise<readonly string[]> {
    const input = { query: text.replaceAll('/', ' '), contextLength: 0 };
    const { search } = this.#names;
    if (search === null) return [];
    const outcome = await this.#run(user, { service: 'vault', name: search, input, signal });
    return outcome.ok ? (found.safeParse(outcome.data).data ?? []).map(({ filename }) => filename) : [];
  }

  /** The names in the folder; empty for a user who has no access, or is not connected. */
  async #namesIn({ user, signal }: MethodContext, folder: string): Promise<readonly string[]> {
    const input = { dir_path: folder.replace(/\/$/, '') };
    const outcome = await this.#run(user, { service: 'vault', name: this.#names.list, input, signal });
    const data = outcome.ok ? outcome.data : [];
    const names: unknown = isObject(data) ? data['files'] : data;
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  }
}

function entryOf(path: string): ResourceEntry {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
  return { uri: noteUri(path), name: path, title: name, description: `The note ${path}`, mimeType: 'text/markdown' };
}

function writeCursor(folders: readonly string[], shown: number): string {
  return Buffer.from(JSON.stringify([shown, ...folders])).toString('base64url');
}

function readCursor(cursor: string): Readonly<{ folders: readonly string[]; shown: number }> | null {
  try {
    const [shown, ...folders]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const texts = folders.filter((folder) => typeof folder === 'string');
    const isOurs = typeof shown === 'number' && texts.length === folders.length && texts.length > 0;
    return isOurs ? { folders: texts, shown } : null;
  } catch {
    return null;
  }
}
