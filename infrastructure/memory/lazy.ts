/** Returns a function that creates its value on the first call and caches it. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: Readonly<{ value: Value }> | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
