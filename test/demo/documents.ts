import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FolderWatch } from '#infrastructure/files/folder-watch.ts';
import { type DiffLine, lineDiff } from '#test/demo/line-diff.ts';
import type { SuiteCrmEmulator } from '#test/emulators/suite-crm/suite-crm-emulator.ts';

/** What is watched: notes by their path, and records of the suite CRM as a few lines of text. */
export type Shown = Readonly<{ kind: 'note' | 'record'; name: string; text: string }>;

/** What became of one of them. */
export type Changed = Readonly<{
  kind: Shown['kind'];
  name: string;
  how: 'new' | 'changed' | 'gone';
  lines: readonly DiffLine[];
}>;

type Texts = ReadonlyMap<string, Shown>;

/** How long an effect may take before the demo gives up, in ms. */
const maxWaitMs = 120_000;

/** Watches the folder of notes and the suite CRM's records; everything is read again when something changes. */
export class Documents {
  readonly #folder: string;
  readonly #suite: SuiteCrmEmulator;
  readonly #watch: FolderWatch;
  readonly #listeners = new Set<() => void>();
  #texts: Texts = new Map();
  #isStale = false;

  constructor(folder: string, suite: SuiteCrmEmulator) {
    this.#folder = folder;
    this.#suite = suite;
    this.#watch = new FolderWatch(
      folder,
      () => this.#readSoon(),
      (error) => {
        throw error;
      },
    );
    this.#read();
    suite.state.onChange(() => this.#readSoon());
  }

  /** All there is, notes first, by name. */
  get all(): Texts {
    return this.#texts;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Waits until a document is there whose text holds all of the words; fails after two minutes, or when `signal` aborts. */
  async until(name: RegExp, words: readonly string[], signal: AbortSignal): Promise<void> {
    const isThere = () =>
      [...this.#texts.values()].some(
        (shown) => name.test(shown.name) && words.every((word) => shown.text.includes(word)),
      );
    const late = AbortSignal.timeout(maxWaitMs);
    const ended = AbortSignal.any([signal, late]);
    await new Promise<void>((resolve, reject) => {
      const settle = () => {
        if (!isThere() && !ended.aborted) return;
        forget();
        ended.removeEventListener('abort', settle);
        if (isThere()) resolve();
        else reject(new Error(`Nothing named ${String(name)} came to hold: ${words.join(' · ')}`));
      };
      const forget = this.onChange(settle);
      ended.addEventListener('abort', settle);
      settle();
    });
  }

  /** What differs between an earlier state and now. */
  changesSince(before: Texts): readonly Changed[] {
    const names = [...new Set([...this.#texts.keys(), ...before.keys()])];
    return names.flatMap((name) => {
      const [old, now] = [before.get(name), this.#texts.get(name)];
      const kind = now?.kind ?? old?.kind ?? 'note';
      if (old?.text === now?.text) return [];
      const how = old === undefined ? 'new' : now === undefined ? 'gone' : 'changed';
      return [{ kind, name, how, lines: lineDiff(old?.text ?? '', now?.text ?? '') } as const];
    });
  }

  close(): void {
    this.#watch.close();
    this.#listeners.clear();
  }

  /** One reading for everything that is reported at once. */
  #readSoon(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    setImmediate(() => {
      this.#isStale = false;
      this.#read();
      for (const listener of this.#listeners) listener();
    });
  }

  #read(): void {
    const shown = [...this.#notesIn(''), ...this.#records()];
    this.#texts = new Map(shown.map((each) => [each.name, each]));
  }

  #notesIn(path: string): readonly Shown[] {
    // Watched before it is listed: what changes in between is reported.
    this.#watch.add(path);
    try {
      const entries = readdirSync(join(this.#folder, path), { withFileTypes: true });
      const sorted = entries.toSorted((left, right) => left.name.localeCompare(right.name));
      return sorted.flatMap((entry) => {
        const inside = path === '' ? entry.name : `${path}/${entry.name}`;
        if (entry.name.startsWith('.')) return [];
        if (entry.isDirectory()) return this.#notesIn(inside);
        if (!entry.isFile() || !entry.name.endsWith('.md')) return [];
        return [{ kind: 'note', name: inside, text: readFileSync(join(this.#folder, inside), 'utf8') } as const];
      });
    } catch (error) {
      // A note or folder may be deleted while it is read; the watch reports it.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
  }

  #records(): readonly Shown[] {
    return ['Accounts', 'Contacts'].flatMap((module) =>
      this.#suite.state.all(module).map((record) => {
        const fields = ['Account_Name', 'First_Name', 'Last_Name', 'Email', 'Phone', 'Billing_Street', 'Website'];
        const lines = fields.flatMap((field) => {
          const value = this.#shownValue(record[field]);
          return value === '' ? [] : [`${field}: ${value}`];
        });
        const title = this.#shownValue(module === 'Accounts' ? record['Account_Name'] : record['Last_Name']);
        return { kind: 'record', name: `Suite CRM › ${module} › ${title}`, text: `${lines.join('\n')}\n` } as const;
      }),
    );
  }

  /** A link is shown by the name of the account that it leads to. */
  #shownValue(value: unknown): string {
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null || !('id' in value)) return '';
    return this.#shownValue(this.#suite.state.find('Accounts', String(value.id))?.['Account_Name'] ?? value.id);
  }
}
