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
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  // Unlike Object.values, this makes no list for each object.
  for (const name in value) if (Object.hasOwn(value, name) && isDeeper(value[name], levels - 1)) return true;
  return false;
}

/** Whether a value is a list or a plain object; class instances, such as a stream of bytes, are neither. */
function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/** Whether a value is an object and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON; null for what is none. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Returns an object with what `change` makes of the lists and objects among its members; the object itself where all
 * of them stay.
 */
export function withChangedMembers(
  value: Readonly<Record<string, unknown>>,
  change: (member: object, name: string) => unknown,
): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | null = null;
  for (const name in value) {
    const member = Object.hasOwn(value, name) ? value[name] : null;
    if (typeof member !== 'object' || member === null) continue;
    const changed = change(member, name);
    if (changed === member) continue;
    copy ??= { ...value };
    copy[name] = changed;
  }
  return copy ?? value;
}

/** Returns JSON data without the members of these names, at any depth. */
export function withoutMembers(value: unknown, names: readonly string[]): unknown {
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => withoutMembers(item, names));
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutMembers(member, names)]));
}

/** A place in JSON data that cannot be passed on: half of a surrogate pair, or a member called `__proto__`. */
export type BadPlace = Readonly<{ path: readonly string[]; fault: 'surrogate' | 'prototype' }>;

const prototypeName = '__proto__';

/**
 * Returns the places in JSON data that would not arrive as they were sent: strings, keys included, with lone
 * surrogates, which URLs and UTF-8 cannot represent, and members called `__proto__`, which programs drop or execute.
 */
export function badPlaces(value: unknown): readonly BadPlace[] {
  return isSound(value) ? [] : placesOf(value);
}

/** Whether all data can be passed on. */
function isSound(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (!isContainer(value)) return true;
  return Object.entries(value).every(([key, member]) => isSoundKey(key) && isSound(member));
}

function isSoundKey(key: string): boolean {
  return key !== prototypeName && key.isWellFormed();
}

function placesOf(value: unknown): readonly BadPlace[] {
  const places: BadPlace[] = [];
  const visit = (part: unknown, path: readonly string[]): void => {
    if (typeof part === 'string' && !part.isWellFormed()) places.push({ path, fault: 'surrogate' });
    if (!isContainer(part)) return;
    for (const [key, member] of Object.entries(part)) {
      if (key === prototypeName) places.push({ path: [...path, key], fault: 'prototype' });
      else if (key.isWellFormed()) visit(member, [...path, key]);
      else places.push({ path: [...path, key.toWellFormed()], fault: 'surrogate' });
    }
  };
  visit(value, []);
  return places;
}
