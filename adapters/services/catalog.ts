import { schemaWithAliases } from '#adapters/services/definitions/aliases.ts';
import { type Provider, serviceNameOf, vendorsOf } from '#adapters/services/definitions/provider.ts';
import { checked } from '#adapters/services/gateway.ts';
import {
  effectIn,
  type Operation,
  type OperationTable,
  operationTitleOf,
} from '#adapters/services/requests/operation-table.ts';
import type { RequestOptions } from '#adapters/services/requests/row-options.ts';
import type { OperationCatalog, OperationInfo } from '#application/ports/operation-catalog.ts';
import type { Effect } from '#domain/operations/effect.ts';
import { type ServiceNames, serviceNames } from '#domain/services/service-names.ts';
import { fullSchemaOf, jsonSchemaOf, listedSchemaOf } from '#infrastructure/json-schema/tool-schema.ts';
import { lazy } from '#infrastructure/memory/lazy.ts';

/** The operations of all providers as the edges see them. JSON Schemas are generated only here, each on first use. */
export function catalogOf(providers: readonly Provider[]): OperationCatalog {
  const operations = liveOperations(providers);
  return {
    names: namesOf(providers),
    instructions: providers.map((provider) => ({ ...provider.instructions, name: serviceNameOf(provider) })),
    get operations() {
      return operations();
    },
  };
}

/** The operations as they are at each call: the same list until a remote server's tools change. */
function liveOperations(providers: readonly Provider[]): () => OperationCatalog['operations'] {
  const of = providers.map((provider) => {
    let known: Readonly<{ table: OperationTable; infos: OperationCatalog['operations'] }> | null = null;
    return () => {
      const table = provider.remote?.current ?? provider.listed;
      if (known?.table !== table) known = { table, infos: infosOf(provider, table) };
      return known.infos;
    };
  });
  let parts: readonly OperationCatalog['operations'][] = [];
  let all: OperationCatalog['operations'] | null = null;
  return () => {
    if (all !== null && of.every((infos, place) => infos() === parts[place])) return all;
    parts = of.map((infos) => infos());
    all = withoutTakenTools(parts.flat());
    return all;
  };
}

function infosOf(provider: Provider, table: OperationTable): OperationCatalog['operations'] {
  return Object.entries(table)
    .filter(([name]) => !isVendorsOnly(name, provider))
    .map(([name, operation]) => infoOf(provider, name, operation));
}

/** Leaves out the operations of remote servers whose tool has the name of another one: the first keeps it. */
function withoutTakenTools(operations: OperationCatalog['operations']): OperationCatalog['operations'] {
  const taken = new Map<string, OperationInfo>();
  for (const one of operations) {
    const first = one.tool === null ? undefined : taken.get(one.tool);
    if (one.tool !== null && (first === undefined || (first.remote !== undefined && one.remote === undefined)))
      taken.set(one.tool, one);
  }
  return operations.filter((one) => one.remote === undefined || one.tool === null || taken.get(one.tool) === one);
}

/** The services' display names. */
export function namesOf(providers: readonly Provider[]): ServiceNames {
  return serviceNames(providers.map((provider) => [provider.service, serviceNameOf(provider), provider.presence]));
}

/** The vendors that lack an operation; all that there are, if there is no other. */
function lackingIn(name: string, provider: Provider): readonly Provider[] {
  return vendorsOf(provider).filter(({ operations }) => {
    const operation = operations[name];
    return operation?.kind === 'recipe' && operation.lacks !== undefined;
  });
}

/** Whether only vendors have an operation while the neutral dialect is configured. */
function isVendorsOnly(name: string, provider: Provider): boolean {
  return provider.others === undefined && provider.vendor === null && lackingIn(name, provider).length > 0;
}

/** The summary of an operation, with the vendors that lack it. */
function summaryOf(provider: Provider, name: string, { summary }: Operation): string {
  const lacking = lackingIn(name, provider);
  if (lacking.length === 0) return summary;
  const who = lacking.map(({ vendor }) => vendor ?? 'the neutral one');
  return lacking.length === vendorsOf(provider).length
    ? `${summary} (this provider does not have it)`
    : `${summary} (not with ${who.join(', ')})`;
}

/** The operations whose tools stand for this one. */
function standInsFor(name: string, { listed }: Provider): readonly string[] {
  return Object.entries(listed).flatMap(([other, { options }]) => (options.standsFor?.includes(name) ? [other] : []));
}

function infoOf(provider: Provider, name: string, operation: Operation): OperationInfo {
  const full = lazy(() => fullSchemaOf(schemaWithAliases(jsonSchemaOf(operation.input), operation.options.aliases)));
  const listed = lazy(() => listedSchemaOf(jsonSchemaOf(operation.input), filledByName(operation)));
  return {
    service: provider.service,
    name,
    tool: operation.options.tool ?? null,
    standIns: standInsFor(name, provider),
    title: operationTitleOf(operation),
    summary: summaryOf(provider, name, operation),
    effect: operation.effect,
    effects: effectsIn(operation),
    effectOf: (input) => effectOfCall(operation, input),
    isIdempotent: operation.isIdempotent,
    isOpenWorld: provider.isOpenWorld,
    upload: operation.options.multipart ?? null,
    get inputSchema() {
      return full();
    },
    get listedSchema() {
      return listed();
    },
    output: operation.options.output ?? null,
    isFile: operation.options.answer === 'file',
    ...(provider.remote === undefined ? {} : { remote: provider.title }),
    route: routeOf(provider, operation),
  };
}

function effectsIn({ effect, effects }: Operation): OperationInfo['effects'] {
  return effects === undefined ? [effect] : [...new Set([effects.otherwise, ...effects.by.map((one) => one.effect)])];
}

function effectOfCall(operation: Operation, input: unknown): Effect {
  if (operation.effects === undefined) return operation.effect;
  const read = checked(operation, input);
  return read.ok ? effectIn(operation, read.data) : operation.effect;
}

/** The inputs that can be resolved from a name, such as owner_id from owner. */
function filledByName({ options }: Operation): readonly string[] {
  return Object.values(options.named ?? {}).flatMap(({ fills }) => fills ?? []);
}

function routeOf(provider: Provider, operation: Operation): OperationInfo['route'] {
  const named: RequestOptions['route'] = operation.options.route;
  if (named !== undefined) return named;
  if (operation.kind === 'recipe') return null;
  const prefix = provider.versionPrefixes.find((candidate) => operation.path.startsWith(`${candidate}/`)) ?? '';
  return { method: operation.method, path: operation.path.slice(prefix.length) };
}
