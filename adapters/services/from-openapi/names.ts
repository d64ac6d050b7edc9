/** The maximum length of the name of a tool or an input, which clients of MCP accept. */
export const maxNameLength = 64;

/** Writes a name as lower-case words joined by underscores: 'get-trips' and 'getTrips' are both 'get_trips'. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
}

/** Derives the key of a service from its document's title; null when nothing is left of it. */
export function keyOf(title: string): string | null {
  const words = snakeCase(title)
    .split('_')
    .filter((word) => /^[a-z]+$/.test(word) && !ofNoService.has(word));
  return words.length === 0 ? null : words.slice(0, 3).join('_');
}

/** Words of a title that say nothing of the service. */
const ofNoService = new Set(['api', 'rest', 'the', 'openapi', 'spec', 'specification', 'official', 'v']);

/** Writes a wire name as an input's: as it is, save for characters that clients or routes do not accept. */
export function inputName(name: string, place: 'path' | 'query' | 'header' | 'body'): string {
  if (place === 'header') return snakeCase(name);
  const plain = name.replaceAll(place === 'path' ? /\W+/g : /[^\w.-]+/g, '_').replaceAll(/^[_.-]+|[_.-]+$/g, '');
  const word = plain === '' ? place : plain;
  return (place === 'path' && /^\d/.test(word) ? `_${word}` : word).slice(0, maxNameLength);
}

/** The maximum length of a description, in characters. */
const maxDescription = 300;

/** Shortens a description to what a model needs: one line, cut at a word. */
export function shortened(description: string): string {
  const line = description.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= maxDescription) return line;
  return `${line.slice(0, maxDescription).replace(/\s+\S*$/, '')} …`;
}
