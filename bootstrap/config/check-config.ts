import { maxServices } from '#adapters/mcp/changes/shown-services.ts';
import { checkedReaction as returningSteps } from '#adapters/services/definitions/checked-values.ts';
import type { Service } from '#adapters/services/definitions/service.ts';
import type { CheckedConfig, PortolanConfig } from '#bootstrap/config/portolan-config.ts';
import { allServices as builtIn } from '#bootstrap/services.ts';
import { ConfigError } from '#bootstrap/start/first-start.ts';
import type { Reaction } from '#domain/reactions/reaction.ts';
import { nearestName } from '#domain/text/nearest-name.ts';

const members = ['stores', 'sink', 'services', 'reactions'] as const satisfies readonly (keyof PortolanConfig)[];

/** Validates a configuration; throws `ConfigError` with a message that starts with the place of the error. */
export function checkConfig(given: unknown): CheckedConfig {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ConfigError('The configuration is not an object: export default defineConfig({ … }).');
  }
  const unknown = Object.keys(given).find((name) => !members.some((member) => member === name));
  if (unknown !== undefined) {
    throw new ConfigError(`${unknown}: the configuration has no such member.${hintAt(unknown, members)}`);
  }
  const config: PortolanConfig = given;
  const services = servicesOf(config.services);
  return {
    stores: functionOrNull('stores', '({ dataDir }) => ({ users: … })', config.stores),
    sink: functionOrNull('sink', '({ gateway }) => new FolderNotes(…)', config.sink),
    services,
    reactions: reactionsOf(config.reactions, services),
  };
}

function functionOrNull<Made>(name: string, example: string, given: Made | undefined): Made | null {
  if (given === undefined) return null;
  if (typeof given !== 'function') throw new ConfigError(`${name}: it is a function, such as ${example}.`);
  return given;
}

function servicesOf(given: PortolanConfig['services'] = []): readonly Service[] {
  const all: unknown = typeof given === 'function' ? given(builtIn) : isList(given) ? [...builtIn, ...given] : given;
  if (!isList(all)) {
    throw new ConfigError(
      'services: it is a list of services, or a function of the built-in ones that returns a list.',
    );
  }
  const checked = all.map((service, index) => checkedService(service, placeOf('services', index, given)));
  const twice = checked.find(({ key }, index) => checked.findIndex((other) => other.key === key) !== index);
  if (twice === undefined && checked.length <= maxServices) return checked;
  if (twice === undefined) throw new ConfigError(`services: there are ${checked.length}, and ${maxServices} at most.`);
  throw new ConfigError(
    `services: two have the key ${twice.key}; each has a key of its own. Leave the built-in one out by services: (builtIn) => […].`,
  );
}

/**
 * Returns the place of an element in the given configuration; the validated list of services starts with the built-in
 * ones.
 */
function placeOf(name: string, index: number, given: unknown): string {
  const place = isList(given) && name === 'services' ? index - builtIn.length : index;
  return `${name}[${place}]`;
}

function checkedService(service: unknown, place: string): Service {
  if (isService(service)) return service;
  throw new ConfigError(`${place}: not a service; create it with defineService({ key, title, … }).`);
}

function isService(value: unknown): value is Service {
  if (typeof value !== 'object' || value === null) return false;
  return (
    ['key', 'title', 'prefix'].every((name) => typeof Reflect.get(value, name) === 'string') && hasConfigure(value)
  );
}

function hasConfigure(value: object): boolean {
  return typeof Reflect.get(value, 'configure') === 'function';
}

function reactionsOf(given: unknown, services: readonly Service[]): readonly Reaction[] {
  if (given === undefined) return [];
  if (!isList(given)) throw new ConfigError('reactions: it is a list of reactions, such as [ticketOpened].');
  return given.map((reaction, index) => checkedReaction(reaction, `reactions[${index}]`, services));
}

function checkedReaction(reaction: unknown, place: string, services: readonly Service[]): Reaction {
  if (!isReaction(reaction)) {
    throw new ConfigError(`${place}: it does not say which events it is for; make it by on(service, [names], plan).`);
  }
  const service = reaction.concern?.service ?? '';
  const keys = services.map(({ key }) => key);
  if (keys.includes(service)) return returningSteps(reaction, place);
  throw new ConfigError(`${place}: it is for events of ${service}, which does not exist.${hintAt(service, keys)}`);
}

function isReaction(value: unknown): value is Reaction {
  return typeof value === 'function' && typeof Reflect.get(value, 'concern') === 'object';
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns a suggestion for an unknown name and the list of known ones, as sentences to append. */
export function hintAt(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return `${near === null ? '' : ` Did you mean ${near}?`} There are ${known.join(', ')}.`;
}
