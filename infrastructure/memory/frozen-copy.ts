/**
 * Copies plain data and freezes the copy in all its parts, so that a store in memory can hand it out again and again:
 * neither who gave it nor who is given it can change what is stored.
 */
export function frozenCopy<Value>(value: Value): Value {
  return frozen(structuredClone(value));
}

/** Freezes plain data in all its parts, and returns it. For what nobody else holds yet. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) frozen(member);
  }
  return value;
}
