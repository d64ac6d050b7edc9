/** How deep data that goes to or comes from a service may be nested: what reads JSON by recursion commonly ends at 128 levels. */
export const maxDepth = 100;

/** Whether lists and objects stand inside each other in more than `maxDepth` levels. Needs no deeper stack for deeper data. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return level.length > 0;
}

/** A list or a plain object; what has methods, such as a stream of bytes, is none. */
export function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
