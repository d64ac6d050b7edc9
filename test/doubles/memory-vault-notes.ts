import { parse, parseDocument } from 'yaml';
import { z } from 'zod';
import type { VaultNote, VaultNotes } from '#application/ports/vault-notes.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const frontmatterSchema = z.record(z.string(), z.unknown()).catch({});
const block = /^---\n([\s\S]*?\n)?---(?:\n|$)/;

/** A vault in memory, for tests. It does to Markdown what the vault's REST interface does, for ordinary notes. */
export class MemoryVaultNotes implements VaultNotes {
  readonly #notes = new Map<string, string>();

  /** The paths of all notes, sorted. */
  get paths(): readonly string[] {
    return [...this.#notes.keys()].sort();
  }

  /** Writes a note as a person would; null removes it. */
  write(path: string, content: string | null): void {
    if (content === null) this.#notes.delete(path);
    else this.#notes.set(path, content);
  }

  async read(path: string): Promise<Result<VaultNote | null, Failure>> {
    const content = this.#notes.get(path);
    return ok(content === undefined ? null : { path, content, frontmatter: frontmatterOf(content), version: content });
  }

  async create(path: string, content: string): Promise<Result<boolean, Failure>> {
    if (this.#notes.has(path)) return ok(false);
    this.#notes.set(path, content);
    return ok(true);
  }

  async setFrontmatter(path: string, key: string, value: unknown): Promise<Result<void, Failure>> {
    const content = this.#notes.get(path);
    if (content === undefined) return missing(path);
    const document = parseDocument(block.exec(content)?.[1] ?? '');
    document.set(key, value);
    this.#notes.set(path, `---\n${document.toString()}---\n${content.replace(block, '')}`);
    return ok(undefined);
  }

  async appendUnderHeading(path: string, heading: readonly string[], markdown: string): Promise<Result<void, Failure>> {
    const content = this.#notes.get(path);
    if (content === undefined) return missing(path);
    const lines = content.split('\n');
    const at = lines.findIndex((line) => /^#{1,6} /.test(line) && line.replace(/^#+ /, '') === heading.at(-1));
    if (at === -1) lines.push(`${'#'.repeat(heading.length)} ${heading.at(-1)}`, markdown);
    else {
      const next = lines.findIndex((line, index) => index > at && /^#{1,6} /.test(line));
      const section = lines.slice(at + 1, next === -1 ? undefined : next);
      if (section.includes(markdown)) return ok(undefined);
      const blanks = section.toReversed().findIndex((line) => line !== '');
      lines.splice(at + 1 + section.length - (blanks === -1 ? section.length : blanks), 0, markdown);
    }
    this.#notes.set(path, lines.join('\n'));
    return ok(undefined);
  }

  async append(path: string, markdown: string): Promise<Result<void, Failure>> {
    const content = this.#notes.get(path);
    if (content === undefined) return missing(path);
    this.#notes.set(path, content + markdown);
    return ok(undefined);
  }

  async replace(path: string, content: string, version: string): Promise<Result<boolean, Failure>> {
    if (this.#notes.get(path) !== version) return ok(false);
    this.#notes.set(path, content);
    return ok(true);
  }

  async findByFrontmatter(key: string, value: string | number): Promise<Result<readonly string[], Failure>> {
    const same = (found: unknown) => found === value || (typeof found === 'number' && String(found) === value);
    return ok(this.paths.filter((path) => same(frontmatterOf(this.#notes.get(path) ?? '')[key])));
  }
}

function missing(path: string): Result<never, Failure> {
  return err(failed('not_found', `There is no note at ${path}.`));
}

function frontmatterOf(content: string): Readonly<Record<string, unknown>> {
  const text = block.exec(content)?.[1];
  return text === undefined ? {} : frontmatterSchema.parse(parse(text));
}
