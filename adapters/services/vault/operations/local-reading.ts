import { notJsonText, tooDeepText } from '#adapters/services/requests/outcome-of.ts';
import { outcomeOf, refusedFor } from '#adapters/services/vault/operations/local-outcomes.ts';
import { isFolder } from '#adapters/services/vault/recipes/note-calls.ts';
import { type SectionInput, sectionAnswer, sectionMeant } from '#adapters/services/vault/recipes/section.ts';
import type { VaultFile } from '#application/ports/vault-folder.ts';
import type { VaultFailure } from '#application/vault/problems.ts';
import type { Vault } from '#application/vault/vault.ts';
import { isTooDeep } from '#domain/json/json-data.ts';
import { versionOf } from '#domain/notes/conditions.ts';
import { contentTypeOf } from '#domain/notes/content-type.ts';
import type { FileFailure } from '#domain/notes/vault-failure.ts';
import { isNote, vaultPathOf } from '#domain/notes/vault-path.ts';
import { type FileContent, plainFileName } from '#domain/operations/file-content.ts';
import { failed, type Outcome, succeeded, withRevision } from '#domain/operations/outcome.ts';
import { type Awaitable, andThen, err } from '#domain/shared/result.ts';

/** The maximum size of a file that is answered, in bytes, as over HTTP. */
const maxBytes = 64 * 1024 * 1024;

type Format = 'markdown' | 'note' | 'document_map';
type ReadInput = Readonly<{ path: string; format: Format }>;

/** Reads a note for a tool, which lists folders in another way. */
export function readAsNote(vault: Vault, { path: given, format }: ReadInput): Awaitable<Outcome> {
  const place = vaultPathOf(given);
  if (!place.ok) return refusedFor(place.failure);
  const { path, endsInSlash } = place.value;
  if (endsInSlash) return isFolder(given);
  return readFile(vault, path, format, (failure) =>
    failure.reason === 'is_folder' ? isFolder(given) : refusedFor(failure),
  );
}

/** Reads one part of a note for a tool. */
export async function readSection(vault: Vault, input: SectionInput): Promise<Outcome> {
  const name = sectionMeant(input);
  if (!name.ok) return name.failure;
  const place = vaultPathOf(input.path);
  if (!place.ok) return refusedFor(place.failure);
  const { path, endsInSlash } = place.value;
  const file = endsInSlash ? err<FileFailure>({ reason: 'is_folder' }) : await vault.read(path);
  if (!file.ok) return file.failure.reason === 'is_folder' ? isFolder(input.path) : refusedFor(file.failure);
  const section = await vault.section(file.value, name.value);
  if (!section.ok) {
    const { failure } = section;
    return failure.reason === 'ambiguous-target' ? failed('invalid_input', failure.detail ?? '') : refusedFor(failure);
  }
  const readMap = async () => outcomeOf(await vault.map(file.value));
  const answer = await sectionAnswer(path, name.value, section.value, readMap);
  return withRevision(answer, versionOf(file.value.bytes));
}

/** Reads a file in a format; `unread` answers for one that cannot be read. */
export function readFile(
  vault: Vault,
  path: string,
  format: Format,
  unread: (failure: VaultFailure) => Awaitable<Outcome>,
): Awaitable<Outcome> {
  return andThen(vault.read(path), (file) => {
    if (!file.ok) return unread(file.failure);
    const { bytes } = file.value;
    const read = format === 'markdown' ? textOf(path, bytes) : asJson(vault, path, file.value, format);
    return andThen(read, (outcome) => withRevision(outcome, outcome.ok ? versionOf(bytes) : undefined));
  });
}

/** A file as it is. */
export function readWhole(vault: Vault, path: string): Awaitable<Outcome> {
  return andThen(vault.read(path), (file) => {
    if (!file.ok) return refusedFor(file.failure);
    const { bytes } = file.value;
    const content: FileContent = {
      kind: 'file',
      name: plainFileName(path),
      mediaType: contentTypeOf(path),
      size: bytes.length,
      bytes: (async function* () {
        yield bytes;
      })(),
    };
    return succeeded(content);
  });
}

async function asJson(vault: Vault, path: string, file: VaultFile, format: 'note' | 'document_map'): Promise<Outcome> {
  if (format === 'document_map') return outcomeOf(await vault.map(file));
  const note = await vault.note(path, file);
  if (!note.ok) return refusedFor(note.failure);
  return isTooDeep([note.value.frontmatter]) ? tooDeep : succeeded(note.value);
}

const decoder = new TextDecoder();

/** The text of a file; of a JSON file its value. */
export function textOf(path: string, bytes: Uint8Array): Outcome {
  if (bytes.length > maxBytes) {
    const message = `The Vault gave no usable answer. The answer is larger than ${maxBytes} bytes.`;
    return failed('too_large', message, { sent: 'unknown' });
  }
  const text = decoder.decode(bytes);
  if (isNote(path) || !contentTypeOf(path).includes('json')) return succeeded(text);
  if (text.trim() === '') return succeeded(null);
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? tooDeep : succeeded(value);
  } catch {
    return failed('unavailable', `The Vault ${notJsonText(200)}`, { sent: 'unknown' });
  }
}

const tooDeep = failed('too_large', `The Vault ${tooDeepText(200)}`, { sent: 'unknown' });
