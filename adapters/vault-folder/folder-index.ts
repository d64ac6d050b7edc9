import { searchByDql } from '#adapters/vault-folder/dql/search-by-dql.ts';
import type { IndexKeeper } from '#adapters/vault-folder/index/index-keeper.ts';
import { countTags } from '#adapters/vault-folder/index/tag-counts.ts';
import { noteJsonOf } from '#adapters/vault-folder/notes/note-json.ts';
import { forEachNote } from '#adapters/vault-folder/search/for-each-note.ts';
import { searchByJsonLogic } from '#adapters/vault-folder/search/jsonlogic-search.ts';
import { searchNotes } from '#adapters/vault-folder/search/simple-search.ts';
import type { TextWork } from '#adapters/vault-folder/text/text-work.ts';
import type { FileStat, VaultIndex } from '#application/ports/vault-folder.ts';
import { ok } from '#domain/shared/result.ts';

/** What is known of all notes of the folder: each method waits for the index, for a while (EMB-021). */
export class FolderIndex implements VaultIndex {
  readonly #keeper: IndexKeeper;
  readonly #work: TextWork;

  constructor(keeper: IndexKeeper, work: TextWork) {
    this.#keeper = keeper;
    this.#work = work;
  }

  seen(path: string, { mtime }: FileStat): void {
    const known = this.#keeper.index.statOf(path);
    if (known !== null && known.mtime !== mtime) void this.#keeper.refresh(path).catch(() => undefined);
  }

  tree: VaultIndex['tree'] = () => this.#keeper.current();

  note: VaultIndex['note'] = async (note) => {
    const { links } = await this.#keeper.current();
    const metadata = await this.#work.metadata(note.text);
    return metadata.ok ? ok(noteJsonOf(note, metadata.value, links)) : metadata;
  };

  tags: VaultIndex['tags'] = async () => countTags(await this.#keeper.current(), this.#work);

  links: VaultIndex['links'] = async () => {
    const { links } = await this.#keeper.current();
    return { files: (end) => links.filesAt(end), mentioning: (path) => links.mentioning(path) };
  };

  notesTagged: VaultIndex['notesTagged'] = async (is) => {
    const index = await this.#keeper.current();
    const found: string[] = [];
    await forEachNote(index, async (path, text) => {
      const { tagUses } = await index.metadataOf(path, text, this.#work);
      if (tagUses.some(is)) found.push(path);
    });
    return found;
  };

  byWords: VaultIndex['byWords'] = async (query) => searchNotes(await this.#keeper.current(), query);

  byRule: VaultIndex['byRule'] = async (rule) => searchByJsonLogic(await this.#keeper.current(), this.#work, rule);

  byDql: VaultIndex['byDql'] = async (query, now) =>
    searchByDql(query, { index: await this.#keeper.current(), work: this.#work, now });

  rebuild(): Promise<void> {
    return this.#keeper.rebuild();
  }
}
