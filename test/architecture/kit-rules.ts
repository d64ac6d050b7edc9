/** What a file of the contract kit may import: Node, zod, and the kit. */
const allowed: readonly RegExp[] = [/^node:/, /^zod$/, /^#test\/kit\//];

/** The imports of a file of the contract kit by which it would no longer stand alone. */
export function foreignImports(text: string): readonly string[] {
  const found = text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'([^']+)'/g);
  return [...found].map(([, name = '']) => name).filter((name) => !allowed.some((pattern) => pattern.test(name)));
}
