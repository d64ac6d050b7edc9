/** The maximum length of the name of a tool or input that MCP clients accept. */
export const maxNameLength = 64;

/** Converts a name to snake case: 'get-trips' and 'getTrips' both become 'get_trips'. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/(?<=[A-Z])(?=[A-Z][a-z])/g, '_')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

/** Derives a service's key from its document's title; null when nothing usable is left. */
export function keyOf(title: string): string | null {
  const words = snakeCase(title)
    .split('_')
    .filter((word) => /^[a-z]+$/.test(word) && !ofNoService.has(word));
  return words.length === 0 ? null : words.slice(0, 3).join('_');
}

/** Words of a title that do not identify the service. */
const ofNoService = new Set(['api', 'rest', 'the', 'openapi', 'spec', 'specification', 'official', 'v']);

/** Converts a wire name to an input name: unchanged, except for characters that clients or routes do not accept. */
export function inputName(name: string, place: 'path' | 'query' | 'header' | 'body'): string {
  if (place === 'header') return snakeCase(name);
  const plain = name
    .replaceAll(place === 'path' ? /\W+/g : /[^\w.-]+/g, '_')
    .replaceAll(/^[_.-]+|(?<![_.-])[_.-]+$/g, '');
  const word = plain === '' ? place : plain;
  return (place === 'path' && /^\d/.test(word) ? `_${word}` : word).slice(0, maxNameLength);
}

/** The maximum length of a description, in characters. */
const maxDescription = 300;

/** Shortens a description to what a model needs: one line, cut at a word boundary. */
export function shortened(description: string): string {
  const line = description.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= maxDescription) return line;
  return `${line.slice(0, maxDescription).replace(/ [^ ]*$/, '')} …`;
}
