import { type Answer, failureAnswer, refuse } from '#adapters/vault-rest/answer.ts';
import type { VaultRequest } from '#adapters/vault-rest/vault-route.ts';
import { contentFailure } from '#application/vault/vault.ts';
import type { PatchInstruction, PatchOperation, PatchTarget } from '#domain/notes/patch/note-patch.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const operations: readonly PatchOperation[] = ['append', 'prepend', 'replace'];

/** A patch as sent, with the size of its content in bytes. */
export type SentPatch = PatchInstruction & Readonly<{ size: number }>;

/**
 * Parses the instruction from the headers (VAULT-004). The Target is percent-decoded, then split at the delimiter.
 * Content that is already present is added again unless `Reject-If-Content-Preexists: true` (or the older
 * `Apply-If-Content-Preexists: false`) is sent, as in releases 4 and later of the real server.
 */
export function readPatchInstruction(request: VaultRequest): Result<SentPatch, Answer> {
  const version = request.header('markdown-patch-version') ?? '1';
  if (version !== '1') return err(refuse(40084, `Markdown-Patch-Version is '${version}'.`));
  const target = readTarget(request);
  if (!target.ok) return target;
  const given = request.header('operation');
  if (given === undefined || given === '') return err(refuse(40056));
  const operation = operations.find((name) => name === given);
  if (operation === undefined) return err(refuse(40057));
  return withContent(request, target.value, operation, isTrue(request, 'create-target-if-missing'));
}

/**
 * The part to which the Target-Type and Target headers limit a GET, PUT or POST; null when neither is sent. The real
 * server supports this, and a client that relies on it must not overwrite a whole note.
 */
export function readOptionalTarget(request: VaultRequest): Result<PatchTarget | null, Answer> {
  const isAsked = [request.header('target-type'), request.header('target')].some((value) => (value ?? '') !== '');
  return isAsked ? readTarget(request) : ok(null);
}

/**
 * Parses the instruction of a PUT (`replace`, creating the part if missing) or POST (`append`) that is limited to a
 * part.
 */
export function readTargetedWrite(
  request: VaultRequest,
  target: PatchTarget,
  operation: PatchOperation,
): Result<SentPatch, Answer> {
  const isCreated = operation === 'replace' || isTrue(request, 'create-target-if-missing');
  return withContent(request, target, operation, isCreated);
}

function withContent(
  request: VaultRequest,
  target: PatchTarget,
  operation: PatchOperation,
  createTargetIfMissing: boolean,
): Result<SentPatch, Answer> {
  const content = readContent(request);
  if (!content.ok) return content;
  return ok({
    ...content.value,
    operation,
    target,
    createTargetIfMissing,
    rejectIfContentPreexists:
      isTrue(request, 'reject-if-content-preexists') || request.header('apply-if-content-preexists') === 'false',
    trimTargetWhitespace: isTrue(request, 'trim-target-whitespace'),
  });
}

function readTarget(request: VaultRequest): Result<PatchTarget, Answer> {
  const kind = request.header('target-type');
  if (kind === undefined || kind === '') return err(refuse(40053));
  if (kind !== 'heading' && kind !== 'block' && kind !== 'frontmatter') return err(refuse(40054));
  if ((request.header('target-scope') ?? 'content') !== 'content') {
    return err(refuse(40059, "The embedded vault knows the scope 'content' only."));
  }
  const target = decode(request.header('target'));
  if (target === undefined) return err(refuse(40055));
  if (target === null) return err(refuse(40058, 'It is not percent-encoded correctly.'));
  if (kind === 'heading') return ok({ kind, path: target, delimiter: request.header('target-delimiter') || '::' });
  if (target === '') return err(refuse(40055));
  return ok(kind === 'block' ? { kind, id: target.replace(/^\^/, '') } : { kind, key: target });
}

function readContent(
  request: VaultRequest,
): Result<Readonly<{ content: unknown; isJson: boolean; size: number }>, Answer> {
  const type = request.header('content-type');
  const [isJson, size] = [type === 'application/json', request.body.length];
  const refused = contentFailure(size, isJson);
  if (refused !== null) return err(failureAnswer(refused));
  const text = request.body.toString('utf8');
  if (type === 'text/markdown') return ok({ content: text, isJson, size });
  if (!isJson) return err(refuse(40012));
  try {
    return ok({ content: JSON.parse(text), isJson, size });
  } catch {
    return err(failureAnswer({ reason: 'content_unreadable' }));
  }
}

function isTrue(request: VaultRequest, header: string): boolean {
  return request.header(header) === 'true';
}

function decode(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
