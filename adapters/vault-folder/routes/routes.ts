import { countTags } from '#adapters/vault-folder/index/tag-counts.ts';
import { contentTypeOf } from '#adapters/vault-folder/notes/content-type.ts';
import type { FileFailure } from '#adapters/vault-folder/notes/file-failure.ts';
import { type Answer, done, json, notFound, refuse } from '#adapters/vault-folder/routes/answer.ts';
import { type Command, type CommandContext, commandsOf, openNote } from '#adapters/vault-folder/routes/commands.ts';
import { fileFailureAnswer } from '#adapters/vault-folder/routes/failure-answers.ts';
import { listFolder } from '#adapters/vault-folder/routes/file-routes.ts';
import { periodicRoutes } from '#adapters/vault-folder/routes/periodic-routes.ts';
import { searchRoutes } from '#adapters/vault-folder/routes/search-routes.ts';
import type { VaultRequest } from '#adapters/vault-folder/routes/vault-request.ts';
import { fileMethods, type VaultRoute, verbs } from '#adapters/vault-folder/routes/vault-route.ts';
import { fileRunner, type RunOnFile } from '#adapters/vault-folder/text/run-on-file.ts';
import { type PathFailure, readVaultPath, type VaultPath } from '#domain/notes/vault-path.ts';
import { type Awaitable, andThen, type Result } from '#domain/shared/result.ts';

/** All routes that need the key, in matching order (EMB-001). */
export function routesOf(context: CommandContext): readonly VaultRoute[] {
  const commands = commandsOf(context);
  const run = fileRunner(context);
  const active = async (request: VaultRequest) => {
    const { path } = context.active;
    const isThere = path !== null && (await context.folder.has(path));
    return isThere ? run(path, request, true) : notFound('No note is open.');
  };
  return [
    ...fileMethods.map(
      (method): VaultRoute => ({
        method,
        pattern: '/active/',
        summary: `${verbs[method]} the active note`,
        run: active,
      }),
    ),
    {
      method: 'GET',
      pattern: '/vault/',
      summary: 'Lists the vault',
      run: async () => listFolder(await context.keeper.current(), ''),
    },
    ...fileMethods.map(
      (method): VaultRoute => ({
        method,
        pattern: '/vault/{+path}',
        summary: method === 'GET' ? 'Reads a file, or lists a folder' : `${verbs[method]} a file`,
        run: (request, { path = '' }) => withPath(path, (place) => vaultFile(context, run, request, place)),
      }),
    ),
    ...periodicRoutes(context, run),
    ...searchRoutes(context),
    {
      method: 'GET',
      pattern: '/tags/',
      summary: 'Lists the tags with how often they are used',
      run: async () => json({ tags: await countTags(await context.keeper.current(), context.work) }),
    },
    {
      method: 'GET',
      pattern: '/commands/',
      summary: 'Lists the commands',
      run: () => json({ commands: commands.map(({ id, name }) => ({ id, name })) }),
    },
    {
      method: 'POST',
      pattern: '/commands/{commandId}/',
      summary: 'Runs a command',
      run: (_, { commandId = '' }) => runCommand(commands, commandId),
    },
    {
      method: 'POST',
      pattern: '/open/{+filename}',
      summary: 'Opens a note, making it when it is missing',
      run: (_, { filename = '' }) => withPath(filename, ({ path }) => open(context, path)),
    },
    {
      method: 'GET',
      pattern: '/vault-api.crt',
      summary: 'The certificate; there is none, for this vault is served without TLS',
      run: () => notFound('This vault is served over plain HTTP on a loopback address: there is no certificate.'),
    },
  ];
}

function vaultFile(
  context: CommandContext,
  run: RunOnFile,
  request: VaultRequest,
  place: VaultPath,
): Awaitable<Answer> {
  const { path, endsInSlash } = place;
  if (request.method !== 'GET') return path === '' || endsInSlash ? refuse(40510) : run(path, request);
  return andThen(run(path, request), (answer) => (answer.status < 400 ? answer : folderOr(answer, context, place)));
}

/** Returns the folder's listing when the path is a folder, not a file; else the file's error. */
async function folderOr(
  rejection: Answer,
  { folder, keeper }: CommandContext,
  { path, endsInSlash }: VaultPath,
): Promise<Answer> {
  const isFile = path !== '' && !endsInSlash && (await folder.has(path));
  return isFile ? rejection : listOr(rejection, listFolder(await keeper.current(), path));
}

/** Returns the folder's listing when the path is a folder, with or without its final slash; else the file's error. */
function listOr(rejection: Answer, listing: Answer): Answer {
  if (listing.status === 200) return listing;
  return rejection.status === 405 ? notFound() : rejection;
}

/** Opens a note by path; a name without a known extension is taken as a note's, as in a link. */
async function open(context: CommandContext, path: string): Promise<Answer> {
  const isThere = await context.folder.has(path);
  const isFileName = contentTypeOf(path) !== 'application/octet-stream';
  return outcome(await openNote(context, isThere || isFileName ? path : `${path}.md`), {
    status: 200,
    headers: {},
    body: '',
  });
}

async function runCommand(commands: readonly Command[], encodedId: string): Promise<Answer> {
  const command = commands.find(({ id }) => encodeURIComponent(id) === encodeURIComponent(safeDecode(encodedId)));
  return command === undefined ? notFound() : outcome(await command.run(), done);
}

function outcome(result: Result<unknown, FileFailure>, success: Answer): Answer {
  return result.ok ? success : fileFailureAnswer(result.failure);
}

function withPath(encoded: string, run: (path: VaultPath) => Awaitable<Answer>): Awaitable<Answer> {
  const path = readVaultPath(encoded);
  return path.ok ? run(path.value) : pathFailureAnswer(path.failure);
}

function pathFailureAnswer({ reason }: PathFailure): Answer {
  if (reason === 'hidden') return notFound('Names that start with a dot are not served, of files nor of folders.');
  return reason === 'outside' ? refuse(40021) : fileFailureAnswer({ reason: 'unusable_name' });
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
