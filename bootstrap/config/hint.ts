import { nearestName } from '#domain/text/nearest-name.ts';

/** What was probably meant by an unknown name, and all names that there are, as sentences to append. */
export function hintAt(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return `${near === null ? '' : ` Did you mean ${near}?`} There are ${known.join(', ')}.`;
}
