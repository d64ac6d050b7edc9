import { type InputError, quoted, unknownName, unknownValue } from '#domain/operations/input-error.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/**
 * The tools that a client chooses: those of these services (null for all), optionally read-only ones only, and listed
 * in full or as a search-first catalogue. `isFull` asks for whole input schemas and output schemas in the lists.
 */
export type ToolChoice = Readonly<{
  services: readonly ServiceKey[] | null;
  isReadonly: boolean;
  isCatalogue: boolean;
  /** Whether only what runs programs is listed. */
  isPrograms: boolean;
  isFull: boolean;
}>;

/** The choice of all tools. */
export const everyTool: ToolChoice = {
  services: null,
  isReadonly: false,
  isCatalogue: false,
  isPrograms: false,
  isFull: false,
};

type Values = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The members of a choice, each with the values that it takes; null for the keys of the services. */
const members = {
  services: null,
  readonly: ['1', 'true', 'on', 'yes', '0', 'false', 'off', 'no', ''],
  mode: ['all', 'catalogue', 'programs'],
  schemas: ['brief', 'full'],
} as const;

type Member = keyof typeof members;

const names: readonly Member[] = ['services', 'readonly', 'mode', 'schemas'];

/** Query parameters of the transports, which are no part of a choice. */
const otherParameters: readonly string[] = ['sessionId'];

const headerPrefix = 'x-portolan-';

/**
 * Parses the choice of a request: `?services=vault,tracker&readonly=1&mode=catalogue&schemas=full` (or `mode=programs`), or the headers
 * X-Portolan-Services, X-Portolan-Readonly, X-Portolan-Mode and X-Portolan-Schemas. A choice only ever removes tools:
 * when both are given, both apply. `all` are the services of this server. An unknown name or value is an error: a typo
 * must not yield more tools than requested.
 */
export function readChoice(
  query: Values,
  headers: Values,
  all: readonly ServiceKey[],
): Result<ToolChoice, readonly InputError[]> {
  const given = givenIn(query, headers);
  if (given === null) return ok(everyTool);
  const errors = given.flatMap((one) => errorsIn(one, all));
  if (errors.length > 0) return err(errors.slice(0, maxErrors));
  const valuesOf = (member: Member) => given.filter(({ name }) => name === member).map(({ values }) => values);
  const lists = valuesOf('services');
  const chosen = all.filter((key) => lists.every((list) => list.includes(key)));
  const services = chosen.length < all.length ? chosen : null;
  const isReadonly = valuesOf('readonly').flat().some(isOn);
  const isPrograms = valuesOf('mode').flat().includes('programs');
  const isCatalogue = !isPrograms && valuesOf('mode').flat().includes('catalogue');
  const isFull = valuesOf('schemas').flat().includes('full');
  const isAll = services === null && !isReadonly && !isCatalogue && !isPrograms && !isFull;
  return ok(isAll ? everyTool : { services, isReadonly, isCatalogue, isPrograms, isFull });
}

/** The maximum number of errors reported for one choice. */
const maxErrors = 20;

/** One occurrence of a parameter or header: its name as it was sent, and as the member that it stands for. */
type Given = Readonly<{ sent: string; name: string; isHeader: boolean; values: readonly string[] }>;

/** What a request gives of a choice; null for most requests, which give nothing. */
function givenIn(query: Values, headers: Values): readonly Given[] | null {
  if (!Object.keys(query).some(isParameter) && !Object.keys(headers).some(isField)) return null;
  const parameters = Object.entries(query).filter(([name]) => isParameter(name));
  const fields = Object.entries(headers).filter(([name]) => isField(name));
  return [
    ...parameters.flatMap(([name, value]) =>
      listOf(value).map((values) => ({ sent: name, name, isHeader: false, values })),
    ),
    ...fields.flatMap(([sent, value]) =>
      listOf(value).map((values) => ({ sent, name: sent.slice(headerPrefix.length), isHeader: true, values })),
    ),
  ];
}

const isParameter = (name: string): boolean => !otherParameters.includes(name);

const isField = (name: string): boolean => name.startsWith(headerPrefix);

function errorsIn({ sent, name, isHeader, values }: Given, all: readonly ServiceKey[]): readonly InputError[] {
  const member = names.find((one) => one === name);
  if (member === undefined) {
    return [unknownName([sent], { known: isHeader ? names.map((one) => headerPrefix + one) : names })];
  }
  const known: readonly string[] = members[member] ?? all;
  const unknown = values.filter((value) => !known.includes(member === 'readonly' ? value.toLowerCase() : value));
  const title = member === 'services' ? 'service' : `value of ${quoted(sent)}`;
  return unknown.map((value) => unknownValue([sent], { title, given: value, known }));
}

/**
 * Whether the choice includes a tool; a read-only choice includes tools that change nothing. Tools of the server
 * itself, whose service is null, belong to every service.
 */
export function isChosen({ service, annotations }: ChoosableTool, { services, isReadonly }: ToolChoice): boolean {
  return (service === null || includesService({ services }, service)) && (!isReadonly || annotations.readOnlyHint);
}

/** The tool as a caller has it, who may change something of its service or only read; null when the choice excludes it. */
export function chosenTool<Type extends ChoosableTool & Readonly<{ forReaders?: Type }>>(
  tool: Type | undefined,
  choice: ToolChoice,
  mayChange: boolean,
): Type | null {
  const own = choice.isReadonly || !mayChange ? (tool?.forReaders ?? tool) : tool;
  return own !== undefined && isChosen(own, choice) ? own : null;
}

/** Whether the choice includes a service. */
export function includesService({ services }: Pick<ToolChoice, 'services'>, service: ServiceKey): boolean {
  return services === null || services.includes(service);
}

type ChoosableTool = Readonly<{ service: ServiceKey | null; annotations: Readonly<{ readOnlyHint: boolean }> }>;

/** Formats the choice as a URL query; empty for all tools. */
export function choiceQuery({ services, isReadonly, isCatalogue, isPrograms, isFull }: ToolChoice): string {
  const few = services === null ? '' : `&services=${services.join(',')}`;
  const mode = isPrograms ? '&mode=programs' : isCatalogue ? '&mode=catalogue' : '';
  return `${few}${isReadonly ? '&readonly=1' : ''}${mode}${isFull ? '&schemas=full' : ''}`;
}

/** All occurrences of a value, each split into a list. */
function listOf(value: string | readonly string[] | undefined): readonly (readonly string[])[] {
  const texts = value === undefined ? [] : typeof value === 'string' ? [value] : value;
  return texts.map((text) => text.split(',').map((name) => name.trim()));
}

function isOn(text: string): boolean {
  return ['1', 'true', 'on', 'yes'].includes(text.toLowerCase());
}
