import { type Answer, content, done, failureAnswer, json, refuse, withHeaders } from '#adapters/vault-rest/answer.ts';
import { representationOf } from '#adapters/vault-rest/media-types.ts';
import {
  readOptionalTarget,
  readPatchInstruction,
  readTargetedWrite,
  type SentPatch,
} from '#adapters/vault-rest/patch-headers.ts';
import type { VaultRequest } from '#adapters/vault-rest/vault-route.ts';
import type { VaultFile } from '#application/ports/vault-folder.ts';
import type { VaultFailure } from '#application/vault/problems.ts';
import type { Vault, WriteOptions } from '#application/vault/vault.ts';
import { type Condition, conditionOf, entityTag, isKnown } from '#domain/notes/conditions.ts';
import { contentTypeOf } from '#domain/notes/content-type.ts';
import { encodeVaultPath } from '#domain/notes/vault-path.ts';
import { type Awaitable, andThen, type Result } from '#domain/shared/result.ts';

/** A file that the server finds for a request; `begin`: what it begins with when it is made, null for nothing. */
type Found = Readonly<{ begin: Uint8Array | null }>;

/**
 * Answers a request for one file by its method, for files, the active note and periodic notes alike. With `found` a
 * Content-Location header names the file, and PATCH makes it.
 */
export function answerOnFile(
  vault: Vault,
  path: string,
  request: VaultRequest,
  found: Found | null = null,
): Awaitable<Answer> {
  const begin = found?.begin ?? null;
  const options = { condition: conditionIn(request), begin, isMade: found !== null };
  return andThen(answerOf(vault, path, request, options), (answer) =>
    found === null ? answer : withHeaders(answer, { 'content-location': encodeVaultPath(path) }),
  );
}

function answerOf(vault: Vault, path: string, request: VaultRequest, options: WriteOptions): Awaitable<Answer> {
  switch (request.method) {
    case 'POST':
    case 'PUT':
      return write(vault, path, request, options);
    case 'PATCH':
      return patched(vault, path, readPatchInstruction(request), options);
    case 'DELETE':
      return vault.remove(path, options).then((removed) => (removed.ok ? done : failureAnswer(removed.failure)));
    default:
      return answerOfRead(vault, path, request);
  }
}

const conditionIn = ({ header }: VaultRequest): Condition | null =>
  conditionOf({ match: header('if-match'), noneMatch: header('if-none-match') });

/** Answers with the file, or another representation or a part of it, and its ETag; with `unread` if there is none. */
export function answerOfRead(
  vault: Vault,
  path: string,
  request: VaultRequest,
  unread: (failure: VaultFailure) => Awaitable<Answer> = failureAnswer,
): Awaitable<Answer> {
  return andThen(vault.read(path), (file) => {
    if (!file.ok) return unread(file.failure);
    const { bytes } = file.value;
    const tag = { etag: entityTag(bytes) };
    if (isKnown(request.header('if-none-match'), bytes)) return { status: 304, headers: tag, body: null };
    return andThen(represented(vault, path, request, file.value), (answer) =>
      answer.status === 200 ? withHeaders(answer, tag) : answer,
    );
  });
}

function represented(vault: Vault, path: string, request: VaultRequest, file: VaultFile): Awaitable<Answer> {
  const shape = representationOf(request.header('accept'));
  if (shape.kind === 'note') return vault.note(path, file).then((note) => jsonOf(note, shape.type));
  if (shape.kind === 'document-map') return vault.map(file).then((map) => jsonOf(map, shape.type));
  const target = readOptionalTarget(request);
  if (!target.ok) return target.failure;
  if (target.value === null) return wholeFile(path, file);
  return vault.part(file, target.value).then((part) => {
    if (!part.ok) return failureAnswer(part.failure);
    if (part.value === null) return failureAnswer({ reason: 'not_found' });
    return part.value.kind === 'value'
      ? json(part.value.value)
      : content(part.value.text, 'text/markdown; charset=utf-8');
  });
}

const jsonOf = (result: Result<unknown, VaultFailure>, type: string): Answer =>
  result.ok ? json(result.value, type) : failureAnswer(result.failure);

/** Overwrites (PUT) or appends to (POST) the file, or the part of it that Target-Type and Target name. */
async function write(vault: Vault, path: string, request: VaultRequest, options: WriteOptions): Promise<Answer> {
  const isPut = request.method === 'PUT';
  const target = readOptionalTarget(request);
  if (!target.ok) return target.failure;
  if (target.value !== null) {
    const instruction = readTargetedWrite(request, target.value, isPut ? 'replace' : 'append');
    return patched(vault, path, instruction, { ...options, isMade: false });
  }
  if (!isPut && !/^text\//i.test(request.header('content-type') ?? '')) return refuse(40010);
  const written = await (isPut ? vault.put(path, request.body, options) : vault.append(path, request.body, options));
  return written.ok ? withHeaders(done, { etag: entityTag(written.value) }) : failureAnswer(written.failure);
}

async function patched(
  vault: Vault,
  path: string,
  instruction: Result<SentPatch, Answer>,
  options: WriteOptions,
): Promise<Answer> {
  if (!instruction.ok) return instruction.failure;
  const written = await vault.patch(path, instruction.value, options);
  if (!written.ok) return failureAnswer(written.failure);
  const { bytes } = written.value;
  return withHeaders(content(bytes, contentTypeOf(path)), { etag: entityTag(bytes) });
}

/** Returns the raw file. */
function wholeFile(path: string, { bytes }: VaultFile): Answer {
  const name = encodeVaultPath(path.slice(path.lastIndexOf('/') + 1));
  return withHeaders(content(bytes, contentTypeOf(path)), {
    'content-disposition': `attachment; filename*=UTF-8''${name}`,
  });
}
