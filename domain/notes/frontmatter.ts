/** A value that a reaction writes into a note's frontmatter. */
export type FrontmatterValue = string | number | boolean | null | readonly string[];

/** The keys and values of a note's frontmatter, in the order in which they are written. */
export type Frontmatter = Readonly<Record<string, FrontmatterValue>>;

/** Whether a note's parsed frontmatter already has this value for the key. */
export function hasValue(
  frontmatter: Readonly<Record<string, unknown>>,
  key: string,
  value: FrontmatterValue,
): boolean {
  return Object.hasOwn(frontmatter, key) && JSON.stringify(frontmatter[key]) === JSON.stringify(value);
}
