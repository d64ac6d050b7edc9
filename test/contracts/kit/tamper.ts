/**
 * Mutates everything mutable in a value, as careless code might: overwrites members, adds to lists and sets. Frozen values stay
 * unchanged. Used to check that a store keeps no reference to a value that it returns or receives.
 */
export function tamper(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    tamper(member);
    Reflect.set(value, key, typeof member === 'number' ? -1 : 'tampered with');
  }
  if (Array.isArray(value) && !Object.isFrozen(value)) value.push('tampered with');
  if (value instanceof Set) value.add('tampered with');
}
