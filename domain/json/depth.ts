/**
 * The deepest nesting of data that goes to or comes from a service: recursive JSON readers commonly stop at 128 levels.
 */
export const maxDepth = 100;

/** Whether lists and objects are nested in more than `maxDepth` levels. Needs no deeper stack for deeper data. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return level.length > 0;
}

/** Whether a value is a list or a plain object; anything with methods, such as a stream of bytes, is neither. */
export function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
