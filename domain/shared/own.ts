/**
 * The table's own member of that name, or undefined. A key that comes from outside may be `constructor` or `__proto__`, which
 * every object has without being asked: `table[key]` finds those.
 */
export function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
