import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * The tools that a client chooses: those of these services (null for all), optionally read-only ones only, and listed
 * in full or as a search-first catalogue. `isFull` asks for whole input schemas and output schemas in the lists.
 */
export type ToolChoice = Readonly<{
  services: readonly ServiceKey[] | null;
  isReadonly: boolean;
  isCatalogue: boolean;
  isFull: boolean;
}>;

/** The choice of all tools. */
export const everyTool: ToolChoice = { services: null, isReadonly: false, isCatalogue: false, isFull: false };

type Values = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Parses the choice of a request: `?services=vault,tracker&readonly=1&mode=catalogue&schemas=full`, or the headers
 * X-Portolan-Services, X-Portolan-Readonly, X-Portolan-Mode and X-Portolan-Schemas. A choice only ever removes tools:
 * when both are given, both apply. `all` are the services of this server. Null when a service, mode or form of schemas
 * is unknown: a typo must not yield more tools than requested.
 */
export function readChoice(query: Values, headers: Values, all: readonly ServiceKey[]): ToolChoice | null {
  if (!isGiven(query, headers)) return everyTool;
  const given = [query['services'], headers['x-portolan-services']].flatMap((value) => listOf(value));
  const asked = given.map((list) => list.map((name) => all.find((key) => key === name)));
  const modes = [query['mode'], headers['x-portolan-mode']].flatMap((value) => listOf(value).flat());
  const forms = [query['schemas'], headers['x-portolan-schemas']].flatMap((value) => listOf(value).flat());
  if (asked.flat().includes(undefined) || modes.some((mode) => mode !== 'catalogue' && mode !== 'all')) return null;
  if (forms.some((form) => form !== 'full' && form !== 'brief')) return null;
  const chosen = all.filter((key) => asked.every((list) => list.includes(key)));
  const services = chosen.length < all.length ? chosen : null;
  const isReadonly = [query['readonly'], headers['x-portolan-readonly']].some(isOn);
  const isCatalogue = modes.includes('catalogue');
  const isFull = forms.includes('full');
  const isAll = services === null && !isReadonly && !isCatalogue && !isFull;
  return isAll ? everyTool : { services, isReadonly, isCatalogue, isFull };
}

/** Whether the request has a choice at all; most have none. */
function isGiven(query: Values, headers: Values): boolean {
  return (
    (query['services'] ?? query['readonly'] ?? query['mode'] ?? query['schemas']) !== undefined ||
    (headers['x-portolan-services'] ??
      headers['x-portolan-readonly'] ??
      headers['x-portolan-mode'] ??
      headers['x-portolan-schemas']) !== undefined
  );
}

/**
 * Whether the choice includes a tool; a read-only choice includes tools that change nothing. Tools of the server
 * itself, whose service is null, belong to every service.
 */
export function isChosen({ service, annotations }: ChoosableTool, { services, isReadonly }: ToolChoice): boolean {
  return (service === null || includesService({ services }, service)) && (!isReadonly || annotations.readOnlyHint);
}

/** Whether the choice includes a service. */
export function includesService({ services }: Pick<ToolChoice, 'services'>, service: ServiceKey): boolean {
  return services === null || services.includes(service);
}

type ChoosableTool = Readonly<{ service: ServiceKey | null; annotations: Readonly<{ readOnlyHint: boolean }> }>;

/** Formats the choice as a URL query; empty for all tools. */
export function choiceQuery({ services, isReadonly, isCatalogue, isFull }: ToolChoice): string {
  const few = services === null ? '' : `&services=${services.join(',')}`;
  return `${few}${isReadonly ? '&readonly=1' : ''}${isCatalogue ? '&mode=catalogue' : ''}${isFull ? '&schemas=full' : ''}`;
}

/** All occurrences of a value, each split into a list. */
function listOf(value: string | readonly string[] | undefined): readonly (readonly string[])[] {
  const texts = value === undefined ? [] : typeof value === 'string' ? [value] : value;
  return texts.map((text) => text.split(',').map((name) => name.trim()));
}

function isOn(value: string | readonly string[] | undefined): boolean {
  const texts = typeof value === 'string' ? [value] : (value ?? []);
  return texts.some((text) => !['', '0', 'false', 'off', 'no'].includes(text.trim().toLowerCase()));
}
