import type { NoteIndex } from '#adapters/vault-folder/index/note-index.ts';
import {
  type ConditionFailure,
  conditionOf,
  entityTag,
  isKnown,
  versionOf,
} from '#adapters/vault-folder/notes/conditions.ts';
import { contentTypeOf } from '#adapters/vault-folder/notes/content-type.ts';
import type { FileFailure } from '#adapters/vault-folder/notes/file-failure.ts';
import { type Representation, representationOf } from '#adapters/vault-folder/notes/media-types.ts';
import { noteJsonOf } from '#adapters/vault-folder/notes/note-json.ts';
import type { VaultFile, VaultFolder } from '#adapters/vault-folder/notes/vault-folder.ts';
import type { NotePart } from '#adapters/vault-folder/patch/note-part.ts';
import {
  type InstructionFailure,
  readOptionalTarget,
  readPatchInstruction,
  readTargetedWrite,
} from '#adapters/vault-folder/patch/patch-instruction.ts';
import {
  type Answer,
  content,
  done,
  json,
  notFound,
  refuse,
  refuseStatus,
  withHeaders,
} from '#adapters/vault-folder/routes/answer.ts';
import {
  fileFailureAnswer,
  instructionFailureAnswer,
  patchFailureAnswer,
  writeFailureAnswer,
} from '#adapters/vault-folder/routes/failure-answers.ts';
import type { VaultRequest } from '#adapters/vault-folder/routes/vault-request.ts';
import type { TextWork, WorkEnded } from '#adapters/vault-folder/text/text-work.ts';
import type { PatchFailure, PatchInstruction, PatchTarget } from '#domain/notes/patch/note-patch.ts';
import { maxNote } from '#domain/notes/sizes.ts';
import { encodeVaultPath } from '#domain/notes/vault-path.ts';
import { type Awaitable, andThen, err, ok, type Result } from '#domain/shared/result.ts';

/**
 * The dependencies of the file routes. `onSeen` is called with each file read from disk, so that a stale index can
 * catch up.
 */
export type FileRoutesDependencies = Readonly<{
  folder: VaultFolder;
  work: TextWork;
  index: () => Promise<NoteIndex>;
  onSeen: (path: string, file: VaultFile) => void;
}>;

/** Handles the five methods of a file by path, for files, the active note and periodic notes alike. */
export class FileRoutes {
  readonly #folder: VaultFolder;
  readonly #work: TextWork;
  readonly #index: () => Promise<NoteIndex>;
  readonly #onSeen: (path: string, file: VaultFile) => void;

  constructor({ folder, work, index, onSeen }: FileRoutesDependencies) {
    this.#folder = folder;
    this.#work = work;
    this.#index = index;
    this.#onSeen = onSeen;
  }

  /**
   * Returns the file, its note JSON or its document map according to the Accept header, or one part of it by
   * Target-Type and Target.
   */
  get(path: string, request: VaultRequest): Awaitable<Answer> {
    return andThen(this.#folder.read(path), (file) => {
      if (!file.ok) return fileFailureAnswer(file.failure);
      this.#onSeen(path, file.value);
      const tag = { etag: entityTag(file.value.bytes) };
      if (isKnown(request, file.value.bytes)) return { status: 304, headers: tag, body: null };
      const represented = this.#represent(path, request, file.value);
      return andThen(represented, (answer) => (answer.status === 200 ? withHeaders(answer, tag) : answer));
    });
  }

  #represent(path: string, request: VaultRequest, file: VaultFile): Awaitable<Answer> {
    const target = readOptionalTarget(request);
    const shape = representationOf(request.header('accept'));
    const isWhole = shape.kind === 'file' && target.ok && target.value === null;
    if (isWhole) return wholeFile(path, file);
    return file.bytes.length > maxNote ? tooLarge : this.#readPart(path, file, shape, target);
  }

  /** Returns the note as JSON, its document map, or one part of it. */
  async #readPart(
    path: string,
    file: VaultFile,
    shape: Representation,
    target: Result<PatchTarget | null, InstructionFailure>,
  ): Promise<Answer> {
    if (shape.kind === 'note') {
      const [{ links }, text] = [await this.#index(), file.bytes.toString('utf8')];
      const read = await this.#work.metadata(text);
      if (!read.ok) return writeFailureAnswer(read.failure);
      const note = { path, text, stat: file.stat, version: versionOf(file.bytes) };
      return json(noteJsonOf(note, read.value, links), shape.type);
    }
    if (shape.kind === 'document-map') {
      const map = await this.#work.map(file.bytes.toString('utf8'));
      if (!map.ok) return writeFailureAnswer(map.failure);
      return map.value === null ? tooManyHeadings : json(map.value, shape.type);
    }
    if (!target.ok) return instructionFailureAnswer(target.failure);
    if (target.value === null) return wholeFile(path, file);
    const part = await this.#work.part(file.bytes.toString('utf8'), target.value);
    if (!part.ok) return writeFailureAnswer(part.failure);
    return part.value.ok ? answerOf(part.value.value) : patchFailureAnswer(part.value.failure);
  }

  /** Replaces the file by the body; with Target-Type and Target, replaces that part. */
  async put(path: string, request: VaultRequest): Promise<Answer> {
    const target = readOptionalTarget(request);
    if (!target.ok) return instructionFailureAnswer(target.failure);
    if (target.value !== null)
      return this.#writePart(path, readTargetedWrite(request, target.value, 'replace'), request);
    return this.#write(path, request, () => request.body);
  }

  /**
   * Appends the text on a new line, creating the file if missing; with Target-Type and Target, appends to that part.
   */
  async post(path: string, request: VaultRequest): Promise<Answer> {
    const target = readOptionalTarget(request);
    if (!target.ok) return instructionFailureAnswer(target.failure);
    if (target.value !== null)
      return this.#writePart(path, readTargetedWrite(request, target.value, 'append'), request);
    if (!/^text\//i.test(request.header('content-type') ?? '')) return refuse(40010);
    return this.#write(path, request, (current) => appended(current, request.body));
  }

  /** Changes a part, and returns the whole note. A missing note is created only when `isMade`. */
  patch(path: string, request: VaultRequest, isMade = false): Promise<Answer> {
    return this.#writePart(path, readPatchInstruction(request), request, isMade);
  }

  /** Deletes the file permanently. */
  async remove(path: string, request: VaultRequest): Promise<Answer> {
    const condition = isConditional(request) ? conditionOf(request) : undefined;
    const removed = await this.#folder.remove(path, condition);
    return removed.ok ? done : writeFailureAnswer(removed.failure);
  }

  async #write(path: string, request: VaultRequest, change: (current: Buffer | null) => Uint8Array): Promise<Answer> {
    const condition = conditionOf(request);
    const written = await this.#folder.update<ConditionFailure>(path, (current) => {
      const allowed = condition(current);
      return allowed.ok ? ok(change(current)) : allowed;
    });
    return written.ok ? withHeaders(done, { etag: entityTag(written.value) }) : writeFailureAnswer(written.failure);
  }

  async #writePart(
    path: string,
    instruction: Result<PatchInstruction, InstructionFailure>,
    request: VaultRequest,
    isMade = false,
  ): Promise<Answer> {
    if (!instruction.ok) return instructionFailureAnswer(instruction.failure);
    const condition = conditionOf(request);
    type Rejection = PatchFailure | ConditionFailure | FileFailure | WorkEnded;
    const written = await this.#folder.update<Rejection>(
      path,
      async (current): Promise<Result<Uint8Array, Rejection>> => {
        const allowed = condition(current);
        if (!allowed.ok) return allowed;
        if (current === null && !isMade) return err({ reason: 'not_found' });
        const size = (current?.length ?? 0) + request.body.length;
        if (size > maxNote) return err({ reason: 'too_large' });
        const patched = await this.#work.patch((current ?? Buffer.alloc(0)).toString('utf8'), instruction.value);
        if (!patched.ok) return patched;
        return patched.value.ok ? ok(Buffer.from(patched.value.value)) : patched.value;
      },
    );
    if (!written.ok) return writeFailureAnswer(written.failure);
    return withHeaders(content(written.value, contentTypeOf(path)), { etag: entityTag(written.value) });
  }
}

/**
 * Lists one level of a folder: its files, and its folders with a trailing slash. Only the root of the vault may be
 * empty; any other folder without files is 404.
 */
export function listFolder(index: NoteIndex, folder: string): Answer {
  if (!index.hasFolder(folder)) return notFound();
  const prefix = folder === '' ? '' : `${folder}/`;
  const entries = new Set<string>();
  for (const path of index.paths()) {
    if (!path.startsWith(prefix)) continue;
    const slash = path.indexOf('/', prefix.length);
    entries.add(slash === -1 ? path.slice(prefix.length) : path.slice(prefix.length, slash + 1));
  }
  return json({ files: [...entries].sort() });
}

/** Returns the raw file. */
function wholeFile(path: string, { bytes }: VaultFile): Answer {
  const name = encodeVaultPath(path.slice(path.lastIndexOf('/') + 1));
  const disposition = `attachment; filename*=UTF-8''${name}`;
  const headers = { 'content-type': contentTypeOf(path), 'content-disposition': disposition };
  return { status: 200, headers, body: bytes };
}

const tooLarge = fileFailureAnswer({ reason: 'too_large' });
const tooManyHeadings = refuseStatus(413, 'The headings of this note are too many and too long to be listed.');

function answerOf(part: NotePart): Answer {
  if (part === null) return notFound();
  return part.kind === 'value' ? json(part.value) : content(part.text, 'text/markdown; charset=utf-8');
}

function appended(current: Buffer | null, body: Buffer): Uint8Array {
  if (current === null || current.length === 0) return body;
  return Buffer.concat(current.at(-1) === 0x0a ? [current, body] : [current, Buffer.from('\n'), body]);
}

const isConditional = (request: VaultRequest): boolean =>
  request.header('if-match') !== undefined || request.header('if-none-match') !== undefined;
