type Members = Readonly<Record<string, unknown>>;

/** Members up to this length have room before longer ones, in their own order. */
const shortMember = 200;
/** Less than this of a text is not worth keeping. */
const shortestText = 50;
/** How deep it is looked for what to leave out; what is deeper stays or goes as a whole. */
const deepest = 8;

/** What was made shorter, and the names of what was cut or left out of it, such as `data[].notes`. */
export type Shrunk = Readonly<{ value: Members; cut: readonly string[] }>;

/**
 * An object whose JSON has at most `room` characters. Short members stay first, then longer ones by their length; the first that
 * has no room is cut if it can be, and the others go. What stays keeps its type: a list is a shorter list, a text a shorter text.
 */
export function shrink(value: Members, room: number): Shrunk {
  const cut = new Set<string>();
  return { value: shrinkMembers(value, room, { name: '', depth: 0, cut }), cut: [...cut] };
}

/** The beginning of a text, without half a surrogate pair at its end. */
export function headOf(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

type Place = Readonly<{ name: string; depth: number; cut: Set<string> }>;

/** The value in a list; an empty list when nothing of it has room. */
function shrinkAny(value: unknown, room: number, place: Place): readonly unknown[] {
  if (lengthOf(value) <= room) return [value];
  place.cut.add(place.name);
  if (room < 2 || place.depth === deepest) return [];
  if (typeof value === 'string') return room < shortestText ? [] : [shrinkText(value, room)];
  if (Array.isArray(value)) return [shrinkItems(value, room, place)];
  return typeof value === 'object' && value !== null ? [shrinkMembers({ ...value }, room, place)] : [];
}

/** Escapes make JSON longer than its text, and more so in some places than in others. */
function shrinkText(text: string, room: number): string {
  let length = room - 2;
  while (lengthOf(headOf(text, length)) > room) length = Math.floor(length * 0.8);
  return headOf(text, length);
}

/** The first items; the very first is shrunk when it has no room. */
function shrinkItems(items: readonly unknown[], room: number, { name, depth, cut }: Place): readonly unknown[] {
  const kept: unknown[] = [];
  let left = room - 2;
  for (const item of items) {
    const length = lengthOf(item) + 1;
    if (length > left) break;
    kept.push(item);
    left -= length;
  }
  return kept.length > 0 || items.length === 0
    ? kept
    : shrinkAny(items[0], left, { name: `${name}[]`, depth: depth + 1, cut });
}

function shrinkMembers(value: Members, room: number, { name, depth, cut }: Place): Members {
  const kept = new Map<string, unknown>();
  let left = room - 2;
  const byLength = Object.entries(value)
    .map(([key, member]) => ({ key, member, length: lengthOf(key) + lengthOf(member) }))
    .sort((one, other) => Math.max(one.length, shortMember) - Math.max(other.length, shortMember));
  for (const { key, member } of byLength) {
    const keyLength = lengthOf(key) + 2;
    const memberName = `${name === '' ? '' : `${name}.`}${key.slice(0, 60)}`;
    for (const short of shrinkAny(member, left - keyLength, { name: memberName, depth: depth + 1, cut })) {
      kept.set(key, short);
      left -= lengthOf(short) + keyLength;
    }
  }
  return Object.fromEntries(Object.entries(value).flatMap(([key]) => (kept.has(key) ? [[key, kept.get(key)]] : [])));
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}
