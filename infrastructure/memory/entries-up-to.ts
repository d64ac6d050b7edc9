/**
 * The options of an LRU cache of at most `count` entries that takes memory as it fills. `max` alone reserves the memory
 * of all entries at once: 28 bytes each, before there is one.
 */
export function entriesUpTo(count: number): Readonly<{ maxSize: number; sizeCalculation: () => number }> {
  return { maxSize: count, sizeCalculation: () => 1 };
}
