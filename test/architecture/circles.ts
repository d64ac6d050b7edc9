/** A source file, and the files of this repository that it imports, types included. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** Lists the paths that a source imports by `#…`, types and lazy imports included. */
export function importsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?:\bfrom|\bimport\()\s*'#([^']+)'/g)].map(([, path = '']) => path);
}

/** Finds the groups of files that import one another in a circle (Tarjan's strongly connected components). */
export function circlesIn(imports: Imports): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    open.push(file);
    let low = own;
    for (const next of imports.get(file) ?? []) {
      if (!imports.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === own) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1) circles.push(group.sort());
    }
    return low;
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}
