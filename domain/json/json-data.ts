/** The maximum nesting depth of data exchanged with a service; recursive JSON parsers commonly stop at 128 levels. */
export const maxDepth = 100;

/** Whether lists and objects are nested more than `maxDepth` levels deep. The recursion stops at that depth. */
export function isTooDeep(value: unknown): boolean {
  return isDeeper(value, maxDepth);
}

/** Whether a value has more than `levels` levels; descends no further than that. */
function isDeeper(value: unknown, levels: number): boolean {
  if (!isContainer(value)) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/** Whether a value is a list or a plain object; class instances, such as a stream of bytes, are neither. */
function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/** Returns JSON data without the members of these names, at any depth. */
export function withoutMembers(value: unknown, names: readonly string[]): unknown {
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => withoutMembers(item, names));
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutMembers(member, names)]));
}

/**
 * Returns the paths of the strings in JSON data, keys included, that contain lone surrogates, which URLs and UTF-8
 * cannot represent.
 */
export function illFormedPlaces(value: unknown): readonly (readonly string[])[] {
  return isWellFormed(value) ? [] : placesOf(value);
}

/** Whether all strings of the data, keys included, are well-formed Unicode. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (!isContainer(value)) return true;
  return Object.entries(value).every(([key, member]) => key.isWellFormed() && isWellFormed(member));
}

function placesOf(value: unknown): readonly (readonly string[])[] {
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
