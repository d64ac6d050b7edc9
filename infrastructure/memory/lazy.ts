/** A function that makes its value at the first call and returns the same one from then on; what is never asked for is never made. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: Readonly<{ value: Value }> | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
