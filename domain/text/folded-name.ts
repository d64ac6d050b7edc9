import { inNfc, normalized } from '#domain/text/nfc.ts';

/**
 * Folds a name so that spellings of the same name are equal: in Unicode NFC, without case and outer blanks; with
 * `accents` also without accents.
 */
export function foldedName(name: string, without?: 'accents'): string {
  const folded = inNfc(name.trim()).toLowerCase();
  return without === undefined ? folded : inNfc(normalized(folded, 'NFD').replaceAll(/\p{M}/gu, ''));
}

/** The words of a text: its runs of letters and digits. */
export function wordsInName(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}
