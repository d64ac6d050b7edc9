/**
 * Returns the table's own member of that name, or undefined. Unlike `table[key]` it ignores inherited members, such as
 * `constructor`, when the key is untrusted.
 */
export function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
