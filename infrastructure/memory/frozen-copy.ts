/**
 * Deep-copies plain data and freezes the copy, so that neither the caller nor a reader of an in-memory store can change
 * what is stored.
 */
export function frozenCopy<Value>(value: Value): Value {
  return frozen(structuredClone(value));
}

/** Deep-freezes plain data and returns it; for data that is not shared yet. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) frozen(member);
  }
  return value;
}
