import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { inNfc, normalized } from '#domain/text/nfc.ts';

const ascii = /^[\0-\x7f]*$/;

/**
 * How the disk spells names. The vault knows an entry by its path in Unicode NFC; a program may have spelled it in
 * another way, which is kept: macOS in NFD.
 */
export class Spellings {
  readonly #root: string;
  /** The names of entries, by their paths in NFC, that the disk has in neither form. */
  readonly #others = new Map<string, string>();

  /** `root` must be a real path. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The path by which the vault knows an entry that the disk spells like this. */
  heard(onDisk: string): string {
    if (ascii.test(onDisk)) return onDisk;
    const path: string[] = [];
    for (const name of onDisk.split('/')) {
      const known = inNfc(name);
      path.push(known);
      if (name !== known && name !== normalized(known, 'NFD')) this.#others.set(path.join('/'), name);
    }
    return path.join('/');
  }

  /** The path of an entry as the disk spells it; as it is given when there is no such entry. */
  onDisk(path: string): string {
    if (ascii.test(path)) return path;
    const names = path.split('/');
    const spelled: string[] = [];
    for (const [index, name] of names.entries()) {
      const other = this.#others.get(names.slice(0, index + 1).join('/'));
      const forms = ascii.test(name) ? [] : [name, normalized(name, 'NFD'), ...(other === undefined ? [] : [other])];
      spelled.push(forms.find((form) => this.#isThere([...spelled, form])) ?? name);
    }
    return spelled.join('/');
  }

  #isThere(names: readonly string[]): boolean {
    try {
      return lstatSync(join(this.#root, ...names), { throwIfNoEntry: false }) !== undefined;
    } catch {
      return false;
    }
  }
}

/** The folder of a vault, a real path, and how names are spelled in it. */
export type SpelledFolder = Readonly<{ root: string; spellings: Spellings }>;

/** Where an entry of the vault is on the disk. */
export const placeOf = ({ root, spellings }: SpelledFolder, path: string): string => join(root, spellings.onDisk(path));
