import type { Kit } from '#test/kit/kit.ts';

/** The services of the interface, by their keys. */
export const serviceKeys = ['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'] as const;
export type ServiceKey = (typeof serviceKeys)[number];

/**
 * What a clause requires of a target besides its address. `login`: a user can sign in. `clock`: its clock can be set. `restart`: it
 * can be restarted. `secret:…`: the secret of a sender is known. `rest`: it has the REST routes of the extension `portolan`.
 * `service:…`: it is connected to the emulator of a service, and its calls arrive there. `limits`: it has rate limits.
 */
export type Need =
  | 'login'
  | 'clock'
  | 'restart'
  | 'rest'
  | 'limits'
  | `secret:${Exclude<ServiceKey, 'vault'>}`
  | `service:${ServiceKey}`;

/**
 * `contract`: required of every server of the interface. `recommended`: left open by the interface, but a server without it can be
 * attacked. `portolan`: left open by the interface, and decided by Portolan. Each level includes those before it.
 */
export const levels = ['contract', 'recommended', 'portolan'] as const;
export type Level = (typeof levels)[number];

/** The modes of a target that change what it has to do, with their values; the first is the default. */
export const modeValues = {
  metadata: ['off', 'on'],
  clients: ['memory', 'kept'],
  strict: ['off', 'on'],
  webhooks: ['off', 'on'],
} as const;
/**
 * `metadata`: whether the discovery route is switched on. `clients`: whether registered clients and codes survive a restart. `strict`:
 * whether PKCE and the client secret are required. `webhooks`: whether the target registers its webhooks at the services.
 */
export type Modes = Readonly<{ [Name in keyof typeof modeValues]: (typeof modeValues)[Name][number] }>;

/** A statement about a target that is tested from outside. */
export type Clause = Readonly<{
  /** The id of the clause in docs/specification.md. */
  id: string;
  /** Distinguishes several checks of one clause, by operation or input. Null if there is only one. */
  variant: string | null;
  level: Level;
  /** The modes in which the clause holds; a mode that is not named does not matter. */
  modes: Partial<Modes>;
  needs: readonly Need[];
  /** The requirement, in a sentence. */
  text: string;
  /** Returns if the target meets the clause; throws `Mismatch` if it does not, and `Skipped` if this cannot be tested. */
  run(kit: Kit): Promise<void>;
}>;

type Run = (kit: Kit) => Promise<void>;

/** Defines a clause for every server of the interface. */
export function contract(id: string, text: string, run: Run, needs: readonly Need[] = []): Clause {
  return { ...named(id), level: 'contract', modes: {}, needs, text, run };
}

/** Defines a clause for targets that are held to the level `recommended` or `portolan`. */
export function recommended(id: string, text: string, run: Run, needs: readonly Need[] = []): Clause {
  return { ...named(id), level: 'recommended', modes: {}, needs, text, run };
}

/** Defines a clause for targets that are held to the level `portolan`. */
export function portolan(id: string, text: string, run: Run, needs: readonly Need[] = []): Clause {
  return { ...named(id), level: 'portolan', modes: {}, needs, text, run };
}

/** The clause, which holds in these modes only. */
export function inMode(modes: Partial<Modes>, clause: Clause): Clause {
  return { ...clause, modes: { ...clause.modes, ...modes } };
}

/** Whether a clause holds for a target in these modes. */
export function holdsIn({ modes }: Pick<Clause, 'modes'>, target: Modes): boolean {
  return Object.entries(modes).every(([name, value]) => new Map(Object.entries(target)).get(name) === value);
}

/** The modes of a clause as reports show them: `metadata: on`; empty if it holds in all. */
export function modesOf({ modes }: Pick<Clause, 'modes'>): string {
  return Object.entries(modes)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
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
