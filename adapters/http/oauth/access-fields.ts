import { z } from 'zod';
import {
  type AccessLevel,
  accessLevels,
  choiceOfScope,
  type Grant,
  type GrantChoice,
  knownScopes,
} from '#domain/oauth/grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { isPermitted } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

/** The field of the access to a service: one of three radio buttons. */
const accessField = (service: ServiceKey): string => `access_${service}`;

/** The levels of access in the words of people. */
const levelTexts: Readonly<Record<AccessLevel, string>> = { off: 'Off', read: 'Read', full: 'Read and change' };

/** A service with its radio buttons, as pages show it; `note` stands beside its name, null for none. */
export type AccessRow = Readonly<{
  service: ServiceKey;
  title: string;
  field: string;
  options: readonly Readonly<{ value: AccessLevel; text: string; isChosen: boolean }>[];
  isConnected: boolean | null;
  note: string | null;
}>;

/** The rows of the services that a user may use, each with what is chosen of it. */
export function accessRows(
  names: ServiceNames,
  user: User,
  choice: GrantChoice,
  more: (service: ServiceKey) => Partial<Pick<AccessRow, 'isConnected' | 'note'>> = () => ({}),
): readonly AccessRow[] {
  return names.keys
    .filter((service) => isPermitted(user, service))
    .map((service) => {
      const chosen = choice.get(service) ?? 'off';
      const options = accessLevels.map((value) => ({ value, text: levelTexts[value], isChosen: value === chosen }));
      const field = accessField(service);
      return { service, title: names.of(service), field, options, isConnected: null, note: null, ...more(service) };
    });
}

/**
 * Reads what was chosen of each service; null for a form without the question. A service without one known value is
 * off.
 */
export function accessChoice(fields: URLSearchParams, services: readonly ServiceKey[]): GrantChoice | null {
  if (!services.some((service) => fields.has(accessField(service)))) return null;
  return new Map(services.map((service) => [service, levelIn(fields.getAll(accessField(service)))]));
}

function levelIn(values: readonly string[]): AccessLevel {
  return accessLevels.find((level) => values.length === 1 && level === values[0]) ?? 'off';
}

/** The schema of a scope that a person gives, such as `tracker:read vault`, on a server of these services. */
export function scopeSchema(all: readonly ServiceKey[]) {
  const known = knownScopes(all);
  const error = `is tokens separated by spaces, each one of: ${known.join(', ')}`;
  return z
    .string()
    .max(2_000)
    .refine((text) => text.split(' ').every((token) => known.includes(token)), { error })
    .transform((text): GrantChoice => choiceOfScope(text, all) ?? new Map());
}

/** The choice of one level for all services. */
export function sameForAll(level: AccessLevel, services: readonly ServiceKey[]): GrantChoice {
  return new Map(services.map((service) => [service, level]));
}

/** How much a grant allows as a whole, in one word. */
export function accessWord(grant: Grant): 'full' | 'readonly' | 'mixed' {
  const levels = [...grant.values()];
  if (levels.every((level) => level === 'read')) return 'readonly';
  return levels.every((level) => level === 'full') ? 'full' : 'mixed';
}

/** The services of a grant by name, separated by commas; of one that also changes something, with those that are only read. */
export function servicesText(grant: Grant, names: ServiceNames): string {
  const isMixed = accessWord(grant) === 'mixed';
  return [...grant]
    .map(([service, level]) => `${names.of(service)}${isMixed && level === 'read' ? ' (read)' : ''}`)
    .join(', ');
}
