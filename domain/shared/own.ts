/**
 * Returns the table's own member of that name, or undefined. A key from outside may be `constructor` or `__proto__`,
 * which every object inherits: `table[key]` finds those.
 */
export function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
