/** A fault in a source of the server: what is found, what stands there then, and the sections of the contract suite that must see it. */
export type OutsideMutant = Readonly<{
  file: string;
  find: string;
  replace: string;
  /** The part of the interface whose letter it breaks; null for what the interface leaves open and this server decides. */
  breaks: string | null;
  /** The groups of clauses that are tried first, comma separated; a mutant that they do not see is shown to all. */
  sections: string;
  way: string;
  /** Whether it shows in the modes of portolan-modes.json only. */
  isInModes?: boolean;
  /** Why nobody can see it from outside, if so: a name in test/kit/not-from-outside.ts, or a sentence. */
  unseenBecause?: string;
}>;

type Row = readonly [find: string, replace: string, way: string, unseenBecause?: string];

/** Faults of one source file that break one part of the interface. */
export function faultsIn(
  file: string,
  { breaks, sections, isInModes = false }: Pick<OutsideMutant, 'breaks' | 'sections' | 'isInModes'>,
  rows: readonly Row[],
): readonly OutsideMutant[] {
  return rows.map(([find, replace, way, unseenBecause]) => ({
    file,
    find,
    replace,
    breaks,
    sections,
    way,
    ...(isInModes ? { isInModes } : {}),
    ...(unseenBecause === undefined ? {} : { unseenBecause }),
  }));
}
