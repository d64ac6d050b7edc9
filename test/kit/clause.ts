import type { Kit } from '#test/kit/kit.ts';

/** The services of the interface, by their keys. */
export const serviceKeys = ['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'] as const;
export type ServiceKey = (typeof serviceKeys)[number];

/**
 * What a clause needs of a target beside its address. `login`: somebody can sign in. `clock`: its clock can be set. `restart`: it can be
 * started anew. `secret:…`: the secret of a sender is known. `rest`: it has the REST routes of the extension `portolan`. `service:…`:
 * it is connected with the emulator of a service, and its calls arrive there. `limits`: it limits callers.
 */
export type Need =
  | 'login'
  | 'clock'
  | 'restart'
  | 'rest'
  | 'limits'
  | `secret:${Exclude<ServiceKey, 'vault'>}`
  | `service:${ServiceKey}`;

/** `contract`: every server of the interface does so. `portolan`: an open question, as Portolan answers it. */
export type Level = 'contract' | 'portolan';

/** One statement that a target is held to from outside. */
export type Clause = Readonly<{
  /** The clause of docs/specification.md. */
  id: string;
  /** Tells several checks of one clause apart: the operation, the input. Null for the only one. */
  variant: string | null;
  level: Level;
  needs: readonly Need[];
  /** What is demanded, in a sentence. */
  text: string;
  /** Returns when the target does so; throws `Mismatch` when it does not, `Skipped` when it cannot be told. */
  run(kit: Kit): Promise<void>;
}>;

type Run = (kit: Kit) => Promise<void>;

/** A clause that every server of the interface is held to. */
export function contract(id: string, text: string, run: Run, needs: readonly Need[] = []): Clause {
  return { ...named(id), level: 'contract', needs, text, run };
}

/** A clause that only a target with the extension `portolan` is held to. */
export function portolan(id: string, text: string, run: Run, needs: readonly Need[] = []): Clause {
  return { ...named(id), level: 'portolan', needs, text, run };
}

/** How a clause is named in reports and expected failures: `SALES-002/deals.merge`, or `CODE-006` alone. */
export function keyOf({ id, variant }: Pick<Clause, 'id' | 'variant'>): string {
  return variant === null ? id : `${id}/${variant}`;
}

/** The group of a clause: `CODE` for `CODE-006`. */
export function sectionOf({ id }: Pick<Clause, 'id'>): string {
  return id.split('-')[0] ?? id;
}

function named(id: string): Pick<Clause, 'id' | 'variant'> {
  const slash = id.indexOf('/');
  return slash === -1 ? { id, variant: null } : { id: id.slice(0, slash), variant: id.slice(slash + 1) };
}
