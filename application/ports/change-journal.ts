import type { Splice } from '#domain/notes/edits/edited-note.ts';

/** What changes in one note: its revisions before and after, and the parts of its text that are replaced. */
export type NoteSplices = Readonly<{ path: string; before: string; after: string; splices: readonly Splice[] }>;

/** A change of several notes: a file that moves first, at its revision, then the notes whose text changes. */
export type VaultChange = Readonly<{
  move: Readonly<{ from: string; to: string; revision: string }> | null;
  notes: readonly NoteSplices[];
}>;

/** The changes of several notes that have begun, kept in the vault's folder until they are done. */
export interface ChangeJournal {
  /** Keeps a change durably, and returns its id. */
  add(change: VaultChange): Promise<string>;
  remove(id: string): Promise<void>;
  /** The changes that have not been done, oldest first. */
  pending(): Promise<readonly Readonly<{ id: string; change: VaultChange }>[]>;
  /** Runs work that no other such work runs beside, on this server and, as far as it can be known, on others. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value>;
}
