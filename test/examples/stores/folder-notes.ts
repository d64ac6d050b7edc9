import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse, parseDocument } from 'yaml';
import {
  err,
  type Failure,
  failed,
  ok,
  type Result,
  type VaultNote,
  type VaultNotes,
} from '#bootstrap/package/ports.ts';

const block = /^---\n([\s\S]*?\n)?---(?:\n|$)/;

/** Stores notes as Markdown files in a folder, for one process at a time. */
export class FolderNotes implements VaultNotes {
  readonly #folder: string;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(path: string): Promise<Result<VaultNote | null, Failure>> {
    const content = await this.#textOf(path);
    if (content === null) return ok(null);
    return ok({ path, content, frontmatter: frontmatterOf(content), version: hash('sha256', content) });
  }

  create(path: string, content: string): Promise<Result<boolean, Failure>> {
    return this.#inTurn(async () => {
      if ((await this.#textOf(path)) !== null) return ok(false);
      await this.#write(path, content);
      return ok(true);
    });
  }

  setFrontmatter(path: string, key: string, value: unknown): Promise<Result<void, Failure>> {
    return this.#change(path, (content) => {
      const document = parseDocument(block.exec(content)?.[1] ?? '');
      document.set(key, value);
      return `---\n${document.toString()}---\n${content.replace(block, '')}`;
    });
  }

  appendUnderHeading(path: string, heading: readonly string[], markdown: string): Promise<Result<void, Failure>> {
    return this.#change(path, (content) => {
      const lines = content.split('\n');
      const at = lines.findIndex((line) => /^#{1,6} /.test(line) && line.replace(/^#+ /, '') === heading.at(-1));
      if (at === -1) return `${content}\n${'#'.repeat(heading.length)} ${heading.at(-1)}\n\n${markdown}\n`;
      const next = lines.findIndex((line, index) => index > at && /^#{1,6} /.test(line));
      const section = lines.slice(at + 1, next === -1 ? undefined : next);
      if (section.includes(markdown)) return content;
      const text = section.join('\n').replace(/\n+$/, '');
      return [
        ...lines.slice(0, at + 1),
        ...text.split('\n'),
        markdown,
        '',
        ...(next === -1 ? [] : lines.slice(next)),
      ].join('\n');
    });
  }

  append(path: string, markdown: string): Promise<Result<void, Failure>> {
    return this.#change(path, (content) => content + markdown);
  }

  replace(path: string, content: string, version: string): Promise<Result<boolean, Failure>> {
    return this.#inTurn(async () => {
      const now = await this.#textOf(path);
      if (now === null || hash('sha256', now) !== version) return ok(false);
      await this.#write(path, content);
      return ok(true);
    });
  }

  async findByFrontmatter(key: string, value: string | number): Promise<Result<readonly string[], Failure>> {
    await mkdir(this.#folder, { recursive: true });
    const names = await readdir(this.#folder, { recursive: true });
    const found: string[] = [];
    for (const path of names.filter((name) => name.endsWith('.md')).sort()) {
      const is = frontmatterOf((await this.#textOf(path)) ?? '')[key];
      if (is === value || (typeof is === 'number' && String(is) === value)) found.push(path);
    }
    return ok(found);
  }

  #change(path: string, change: (content: string) => string): Promise<Result<void, Failure>> {
    return this.#inTurn(async () => {
      const content = await this.#textOf(path);
      if (content === null) return err(failed('not_found', `There is no note at ${path}.`));
      await this.#write(path, change(content));
      return ok(undefined);
    });
  }

  #inTurn<Value>(step: () => Promise<Value>): Promise<Value> {
    const done = this.#turn.then(step);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #textOf(path: string): Promise<string | null> {
    return readFile(join(this.#folder, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
  }

  async #write(path: string, content: string): Promise<void> {
    const file = join(this.#folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.new`, content);
    await rename(`${file}.new`, file);
  }
}

function frontmatterOf(content: string): Readonly<Record<string, unknown>> {
  const read: unknown = parse(block.exec(content)?.[1] ?? '');
  return typeof read === 'object' && read !== null ? { ...read } : {};
}
