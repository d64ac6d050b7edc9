/** What a mutant does to the calls of one method of a port. Paths are dotted: '0.scope' of the arguments, 'value.name' of an answer. */
export type Change =
  /** The call is not made; `answer` is what the caller gets. */
  | Readonly<{ op: 'lost'; method: string; answer?: unknown }>
  /** Only the first call is made; the later ones get its answer. */
  | Readonly<{ op: 'once'; method: string }>
  /** The call is made some time after its answer, which is `answer`. */
  | Readonly<{ op: 'late'; method: string; answer?: unknown }>
  /** A part of the arguments is another. */
  | Readonly<{ op: 'argument'; method: string; path: string; value: unknown }>
  /** A part of the answer is another. */
  | Readonly<{ op: 'answer'; method: string; path: string; value: unknown }>
  /** The whole answer is another. */
  | Readonly<{ op: 'always'; method: string; answer: unknown }>
  /** The first answer to the same arguments is given again and again. */
  | Readonly<{ op: 'stale'; method: string }>
  /** Equal answers are one object. */
  | Readonly<{ op: 'shared'; method: string }>
  /** A list is answered in the opposite order, or without its last. */
  | Readonly<{ op: 'reversed' | 'short'; method: string }>
  /** The call is made twice; the second answer counts. */
  | Readonly<{ op: 'twice'; method: string }>
  /** The store is empty when it is opened again, or a second process has one of its own. */
  | Readonly<{ op: 'forgets' }>
  | Readonly<{ op: 'apart' }>;

/** A port's adapter broken in one way: by another text in its source, or by what happens to its calls. */
export type Mutant = Readonly<{
  /** The name of the subject that is broken: 'memory', 'SQLite'. */
  on: string;
  /** The way in which it is broken, in words. */
  way: string;
  /** Why no caller can notice it; then the suite must not either. */
  harmless?: string;
}> &
  (Readonly<{ file: string; find: string; replace: string }> | Readonly<{ change: Change }>);

/** All mutants of a port, by the name of its suite. */
export type PortMutants = Readonly<{ port: string; mutants: readonly Mutant[] }>;

/** Lists texts to replace in one file of an adapter: what is found, what stands there then, and the way. */
export function texts(
  on: string,
  file: string,
  rows: readonly (readonly [find: string, replace: string, way: string, harmless?: string])[],
): readonly Mutant[] {
  return rows.map(([find, replace, way, harmless]) => ({
    on,
    file,
    find,
    replace,
    way,
    ...(harmless === undefined ? {} : { harmless }),
  }));
}

/** Lists changes of calls to one adapter. */
export function calls(on: string, rows: readonly (readonly [change: Change, way: string])[]): readonly Mutant[] {
  return rows.map(([change, way]) => ({ on, change, way }));
}

/** The text of a wait between looking and writing, in which others who look at the same time see what this one saw. */
export const pause = 'await new Promise((go) => setTimeout(go, 20));';
