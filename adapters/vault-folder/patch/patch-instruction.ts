import type { ErrorCode } from '#adapters/vault-folder/routes/answer.ts';
import type { VaultRequest } from '#adapters/vault-folder/routes/vault-request.ts';
import { isTooDeep, maxDepth } from '#domain/json/json-data.ts';
import type { PatchInstruction, PatchOperation, PatchTarget } from '#domain/notes/patch/note-patch.ts';
import { maxNote } from '#domain/notes/sizes.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const maxJson = 1024 * 1024;
const operations: readonly PatchOperation[] = ['append', 'prepend', 'replace'];

/** An error in a patch's headers or body, by its error code. */
export type InstructionFailure = Readonly<{ reason: ErrorCode; detail?: string }>;

/**
 * Parses the instruction from the headers (VAULT-004). The Target is percent-decoded, then split at the delimiter.
 * Content that is already present is added again unless `Reject-If-Content-Preexists: true` (or the older
 * `Apply-If-Content-Preexists: false`) is sent, as in releases 4 and later of the real server.
 */
export function readPatchInstruction(request: VaultRequest): Result<PatchInstruction, InstructionFailure> {
  const version = request.header('markdown-patch-version') ?? '1';
  if (version !== '1') return err({ reason: 40084, detail: `Markdown-Patch-Version is '${version}'.` });
  const target = readTarget(request);
  if (!target.ok) return target;
  const given = request.header('operation');
  if (given === undefined || given === '') return err({ reason: 40056 });
  const operation = operations.find((name) => name === given);
  if (operation === undefined) return err({ reason: 40057 });
  return withContent(request, target.value, operation, isTrue(request, 'create-target-if-missing'));
}

/**
 * The part to which the Target-Type and Target headers limit a GET, PUT or POST; null when neither is sent. The real
 * server supports this, and a client that relies on it must not overwrite a whole note.
 */
export function readOptionalTarget(request: VaultRequest): Result<PatchTarget | null, InstructionFailure> {
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
): Result<PatchInstruction, InstructionFailure> {
  const isCreated = operation === 'replace' || isTrue(request, 'create-target-if-missing');
  return withContent(request, target, operation, isCreated);
}

function withContent(
  request: VaultRequest,
  target: PatchTarget,
  operation: PatchOperation,
  createTargetIfMissing: boolean,
): Result<PatchInstruction, InstructionFailure> {
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

function readTarget(request: VaultRequest): Result<PatchTarget, InstructionFailure> {
  const kind = request.header('target-type');
  if (kind === undefined || kind === '') return err({ reason: 40053 });
  if (kind !== 'heading' && kind !== 'block' && kind !== 'frontmatter') return err({ reason: 40054 });
  if ((request.header('target-scope') ?? 'content') !== 'content') {
    return err({ reason: 40059, detail: "The embedded vault knows the scope 'content' only." });
  }
  const target = decode(request.header('target'));
  if (target === undefined) return err({ reason: 40055 });
  if (target === null) return err({ reason: 40058, detail: 'It is not percent-encoded correctly.' });
  if (kind === 'heading') return ok({ kind, path: target, delimiter: request.header('target-delimiter') || '::' });
  if (target === '') return err({ reason: 40055 });
  return ok(kind === 'block' ? { kind, id: target.replace(/^\^/, '') } : { kind, key: target });
}

function readContent(request: VaultRequest): Result<{ content: unknown; isJson: boolean }, InstructionFailure> {
  const type = request.header('content-type');
  if (request.body.length > (type === 'application/json' ? maxJson : maxNote)) return err({ reason: 41300 });
  const text = request.body.toString('utf8');
  if (type === 'text/markdown') return ok({ content: text, isJson: false });
  if (type !== 'application/json') return err({ reason: 40012 });
  try {
    const content: unknown = JSON.parse(text);
    return isTooDeep(content)
      ? err({ reason: 40015, detail: `It is nested more than ${maxDepth} deep.` })
      : ok({ content, isJson: true });
  } catch {
    return err({ reason: 40015 });
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
