/**
 * Changes everything in a value that can be changed, as careless code might: members are overwritten, lists and sets get one
 * more. Frozen values stay as they are. Used to show that what a store returns, or was given, is not what it stores.
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
