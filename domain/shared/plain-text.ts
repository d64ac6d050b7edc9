import { isContainer } from '#domain/json/depth.ts';

/**
 * Whether a text can be stored, sent and compared anywhere: without U+0000 and lone surrogates, which JSON can spell
 * and databases, addresses and files cannot.
 */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/**
 * Returns the paths of texts, keys among them, that are ill-formed Unicode in JSON data: lone surrogates, which
 * addresses and UTF-8 cannot carry.
 */
export function illFormedPlaces(value: unknown): readonly (readonly string[])[] {
  const places: (readonly string[])[] = [];
  const visit = (part: unknown, path: readonly string[]): void => {
    if (typeof part === 'string' && !part.isWellFormed()) places.push(path);
    if (!isContainer(part)) return;
    for (const [key, member] of Object.entries(part)) {
      if (key.isWellFormed()) visit(member, [...path, key]);
      else places.push([...path, key.toWellFormed()]);
    }
  };
  visit(value, []);
  return places;
}
