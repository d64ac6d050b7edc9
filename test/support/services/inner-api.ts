import type { Provider } from '#adapters/services/definitions/provider.ts';
import { fromOpenApi } from '#adapters/services/from-openapi/from-openapi.ts';
import type { OpenApiOptions } from '#adapters/services/from-openapi/options.ts';
import { checked } from '#adapters/services/gateway.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import { type WireRequest, wireRequest } from '#adapters/services/requests/wire-request.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';

/** A document of an API at https://inner.example/v1 with these paths. */
export const innerApi = (paths: object, more: object = {}): object => ({
  openapi: '3.1.0',
  info: { title: 'Inner API', version: '1' },
  servers: [{ url: 'https://inner.example/v1' }],
  paths: { '/ping': { get: { operationId: 'ping', responses: { 204: { description: 'Fine' } } } }, ...paths },
  ...more,
});

/** The service of a document, with a bearer token and `ping` as its probe when nothing else is given. */
export function innerProvider(document: unknown, options: Partial<OpenApiOptions> = {}): Provider {
  const usual = { key: 'inner', operations: ['call'], auth: { kind: 'bearer' }, probe: 'ping' } as const;
  return fromOpenApi(document, { ...usual, ...options })
    .configure({})
    .provider();
}

/** The provider of one operation `call`. */
export function providerOf(operation: object, path = '/things', method = 'post'): Provider {
  return innerProvider(innerApi({ [path]: { [method]: { operationId: 'call', responses: {}, ...operation } } }));
}

/** The row of that name. */
export function rowOf(provider: Provider, name = 'call'): RequestRow {
  const row = provider.operations[name];
  if (row?.kind !== 'request') throw new Error(`There is no row "${name}".`);
  return row;
}

/** What is wrong with an input, or nothing. */
export function messageOf(provider: Provider, input: object): string | null {
  const outcome = checked(rowOf(provider), input);
  return outcome.ok ? null : outcome.message;
}

/** The request that an input becomes, after it has been checked. */
export function requestFor(provider: Provider, input: object, name = 'call'): WireRequest {
  const outcome = checked(rowOf(provider, name), input);
  if (!outcome.ok) throw new Error(outcome.message);
  return wireRequest(rowOf(provider, name), outcome.data, provider.dialect, tokenRecord(provider.service));
}

/** The JSON that a request sends. */
export function jsonIn({ body }: WireRequest): unknown {
  return typeof body === 'string' ? JSON.parse(body) : undefined;
}

/** What a JSON answer is read as. */
export function answerTo(
  provider: Provider,
  body: unknown,
  { inputs = {}, headers = {} }: Readonly<{ inputs?: object; headers?: Readonly<Record<string, string>> }> = {},
): Outcome {
  return provider.dialect.readSuccess({ row: rowOf(provider), inputs: { ...inputs }, status: 200, headers, body });
}
