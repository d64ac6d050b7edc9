import { nearestName } from '#domain/text/nearest-name.ts';

/** Returns a suggestion for an unknown name and the list of known ones, as sentences to append. */
export function hintAt(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return `${near === null ? '' : ` Did you mean ${near}?`} There are ${known.join(', ')}.`;
}
