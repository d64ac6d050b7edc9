import * as fc from 'fast-check';
import { z } from 'zod';
import { hostile, valuesOf } from '#test/fuzz/values.ts';
import { salesCrmSecret, signingKey, suiteCrmToken } from '#test/support/webhooks/webhook-senders.ts';
import { sign, trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

/** A request as it is sent, but for who sends it. `body` is null where there is none. */
export type FuzzRequest = Readonly<{
  kind: 'rest' | 'tool' | 'program' | 'mcp' | 'delivery' | 'note' | 'session' | 'own' | 'message';
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  /** Whether nobody who sends this may get a success. */
  isBarred?: boolean;
  /** Whether it names something that there is not, so that only a refusal is right. */
  isWrong?: boolean;
}>;

const openApi = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});
const operation = z.looseObject({
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.string(),
        schema: z.unknown().optional(),
        content: z.unknown().optional(),
      }),
    )
    .default([]),
  requestBody: z
    .looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown().optional() })) })
    .optional(),
});

/** Tools as `tools/list` returns them. */
export const toolList = z.array(z.looseObject({ name: z.string(), inputSchema: z.unknown() }));

/** The services would deliver to what is registered, and nobody is there. */
const isLeftOut = (path: string) => /webhook|watch/i.test(path);

/** Requests to every route of the OpenAPI document, with what it says that they take, and with what they do not. */
export function restRequests(document: unknown): fc.Arbitrary<FuzzRequest> {
  const { paths, components } = openApi.parse(document);
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    isLeftOut(path)
      ? []
      : Object.entries(item).map(([method, one]) =>
          restRequest(path, method, operation.parse(one), components.schemas),
        ),
  );
  return fc.oneof(...routes);
}

function restRequest(
  path: string,
  method: string,
  { parameters, requestBody }: z.output<typeof operation>,
  schemas: Readonly<Record<string, unknown>>,
): fc.Arbitrary<FuzzRequest> {
  const textOf = (schema: unknown) => valuesOf(schema ?? {}, schemas).map(asText);
  const given = (place: string) => parameters.filter((one) => one.in === place);
  const inPath = fc.record(Object.fromEntries(given('path').map(({ name, schema }) => [name, textOf(schema)])));
  const inQuery = fc.record(Object.fromEntries(given('query').map(({ name, schema }) => [name, textOf(schema)])), {
    requiredKeys: [],
  });
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => bodyOf(type, schema, schemas));
  const body = fc.oneof(fc.constant({ type: null, text: null }), ...bodies, ...bodies, ...bodies);
  return fc.tuple(inPath, inQuery, body).map(([segments, query, { type, text }]) => {
    const address = path.replaceAll(/\{\+?([^}]+)\}/g, (_, name: string) =>
      encodeURIComponent(wellFormed(segments[name] ?? '1')),
    );
    const asked = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    const search = new URLSearchParams(Object.fromEntries(asked)).toString();
    return {
      kind: 'rest' as const,
      method: method.toUpperCase(),
      path: `${address}${search === '' ? '' : `?${search}`}`,
      headers: type === null ? {} : { 'content-type': type },
      body: method === 'get' ? null : text,
    };
  });
}

type Body = Readonly<{ type: string | null; text: string | null }>;

function bodyOf(type: string, schema: unknown, schemas: Readonly<Record<string, unknown>>): fc.Arbitrary<Body> {
  const sent = type.includes('*') ? 'application/octet-stream' : type;
  const isJson = sent.includes('json');
  const value = valuesOf(schema ?? {}, schemas).map((one) => (isJson ? JSON.stringify(one) : asText(one)));
  const text = fc.oneof({ arbitrary: value, weight: 12 }, { arbitrary: fc.string({ unit: 'binary' }), weight: 1 });
  return fc
    .tuple(text, fc.constantFrom(sent, sent, sent, sent, sent, 'text/plain', 'application/json'))
    .map(([written, as]) => ({ type: as, text: written }));
}

const mcpHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Calls of every tool, with what its schema says and with what it does not. */
export function toolRequests(tools: z.output<typeof toolList>): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...tools.map(({ name, inputSchema }) => valuesOf(inputSchema).map((given) => toolRequest('tool', name, given))),
  );
}

const methodNames = `
  initialize ping tools/list tools/call prompts/list prompts/get resources/list resources/read resources/templates/list resources/subscribe
  completion/complete logging/setLevel notifications/initialized notifications/cancelled server/discover subscriptions/listen __proto__
`;
const methods = fc.constantFrom(...methodNames.trim().split(/\s+/), '');

/** Messages that are nearly of MCP. */
export const mcpRequests: fc.Arbitrary<FuzzRequest> = (() => {
  const members = {
    name: hostile,
    arguments: hostile,
    uri: hostile,
    cursor: hostile,
    protocolVersion: hostile,
    ref: hostile,
    argument: hostile,
    _meta: hostile,
  };
  const params = fc.oneof(fc.record(members, { requiredKeys: [] }), hostile);
  const version = fc.constantFrom<unknown>('2.0', '2.0', '2.0', '2.0', '1.0', 2, null);
  const method = fc.oneof({ arbitrary: methods, weight: 8 }, { arbitrary: hostile, weight: 1 });
  const message = fc.record({ jsonrpc: version, id: hostile, method, params }, { requiredKeys: [] });
  const written = fc
    .oneof(message, fc.array(message, { maxLength: 3 }), hostile)
    .map((value) => JSON.stringify(value) ?? '');
  const damaged = fc.tuple(written, fc.nat(), fc.string({ unit: 'binary', maxLength: 2 })).map(([text, at, put]) => {
    const place = at % (text.length + 1);
    return `${text.slice(0, place)}${put}${text.slice(place + 1)}`;
  });
  return fc.oneof({ arbitrary: written, weight: 4 }, { arbitrary: damaged, weight: 1 }).map((body) => ({
    kind: 'mcp' as const,
    method: 'POST',
    path: '/message',
    headers: mcpHeaders,
    body,
  }));
})();

/** The call of a tool. */
export function toolRequest(kind: 'tool' | 'program' | 'note', name: string, given: unknown): FuzzRequest {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  return { kind, method: 'POST', path: '/message', headers: mcpHeaders, body: JSON.stringify(message) };
}

/** Deliveries of the four services that are signed as they should be, whatever they say. */
export const deliveries: fc.Arbitrary<FuzzRequest> = (() => {
  const id = fc.oneof(fc.string({ maxLength: 12 }), hostile);
  const fields = fc.record(
    {
      id,
      title: hostile,
      name: hostile,
      status: hostile,
      state: hostile,
      identifier: id,
      updatedAt: hostile,
      value: hostile,
    },
    { requiredKeys: ['id'] },
  );
  const event = fc.oneof(
    fc.constantFrom(
      'updated.deal',
      'updated.person',
      'updated.organization',
      'document_state_changed',
      'document_completed_pdf_ready',
    ),
    hostile,
  );
  const action = fc.oneof(fc.constantFrom('create', 'update', 'remove', 'updated'), hostile);
  const payload = fc.record(
    {
      data: fc.oneof({ arbitrary: fields, weight: 6 }, { arbitrary: hostile, weight: 1 }),
      event,
      action,
      type: fc.oneof(fc.constantFrom('Issue', 'Comment', 'Cycle'), hostile),
      meta: fc.oneof(
        fc.record({ action, entity: hostile, entity_id: id, id, timestamp: hostile }, { requiredKeys: [] }),
        hostile,
      ),
      previous: hostile,
      updatedFrom: hostile,
      actor: hostile,
      module: hostile,
      operation: hostile,
      ids: hostile,
    },
    { requiredKeys: ['data'] },
  );
  const service = fc.constantFrom('sales_crm', 'signing', 'suite_crm', 'tracker');
  return fc.tuple(service, payload, fc.uuid()).map(([to, value, delivery]) => deliveryRequest(to, value, delivery));
})();

function deliveryRequest(service: string, payload: Readonly<Record<string, unknown>>, delivery: string): FuzzRequest {
  const now = Date.now();
  const fresh = { webhookTimestamp: now, date_created: new Date(now).toISOString(), token: suiteCrmToken };
  const body = JSON.stringify({ ...payload, ...fresh });
  const signatures: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    sales_crm: { 'x-salescrm-signature': sign(body, salesCrmSecret) },
    signing: { 'x-signing-signature': sign(body, signingKey) },
    tracker: { 'tracker-signature': sign(body, trackerSecret), 'tracker-delivery': delivery },
  };
  const headers = { 'content-type': 'application/json', ...signatures[service] };
  return { kind: 'delivery', method: 'POST', path: `/webhooks/${service}`, headers, body };
}

function asText(value: unknown): string {
  return wellFormed(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}

/** Addresses cannot carry a lone surrogate; bodies can, escaped. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}

const services = ['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'];
const keys = fc.constantFrom(...services);
/** A name of a member or parameter that no route has. */
const unknownNames = fc.constantFrom(
  'constructor',
  'toString',
  '__proto__',
  'hasOwnProperty',
  'permision',
  'servce',
  '',
);
const mostly = <Value>(fits: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: fits, weight: 6 }, { arbitrary: hostile, weight: 1 });

/** The bodies of the server's own JSON routes, by their members. The first user is left alone: the requests are theirs. */
const ownBodies: readonly (readonly [string, string, Readonly<Record<string, fc.Arbitrary<unknown>>>])[] = [
  [
    'POST',
    '/api/users',
    { email: mostly(fc.emailAddress()), permissions: mostly(fc.array(keys)), admin: mostly(fc.boolean()) },
  ],
  ['PATCH', '/api/users/9', { permissions: mostly(fc.array(keys)), admin: mostly(fc.boolean()), active: hostile }],
  [
    'PUT',
    '/api/switches',
    {
      off: mostly(
        fc.array(fc.tuple(keys, fc.constantFrom('*read', '*write', '*destroy')).map((parts) => parts.join(':'))),
      ),
    },
  ],
  ['POST', '/save', { service: mostly(keys), auth_method: hostile, access_token: hostile, extra: hostile }],
  ['POST', '/disconnect', { service: hostile }],
];

/** The parameters of the server's own routes and pages that have some, and of those that have none. */
const ownQueries: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['/api/activity', { of: 'all', user: '1', service: 'vault', app: 'A', day: '2026-01-31', before: '1' }],
  ['/activity', { of: 'all', user: '1', service: 'vault', app: 'A', day: '2026-01-31', before: '1' }],
  ['/activity.csv', { of: 'all', service: 'tracker', day: '2026-01-31' }],
  ['/api/audit', { user: '1', action: 'user.invited', day: '2026-01-31', before: '1' }],
  ['/audit', { user: 'a@b.c', action: 'user.invited', day: '2026-01-31', before: '1' }],
  ['/audit.csv', { user: '1', action: 'user.invited', day: '2026-01-31' }],
  ['/deliveries', { state: 'dead', service: 'tracker', from: '2026-01-31', to: '2026-01-31', q: 'x', before: '1' }],
  ['/connect/sales_crm', { plan: 'growth', seats: '2' }],
  ['/setup/tracker', { vendor: 'linear' }],
  ['/api/users', { search: 'a', state: 'active', role: 'member', permission: 'vault', after: '1', limit: '2' }],
  ['/users', { search: 'a', state: 'invited', role: 'administrator', permission: 'vault', after: '1' }],
  ['/api/switches', {}],
  ['/api/apps', {}],
  ['/api/connections', {}],
];

/** Requests of a person to the server's own JSON routes and to filters of pages; some name what there is not. */
export const ownRequests: fc.Arbitrary<FuzzRequest> = (() => {
  const bodies = ownBodies.map(([method, path, members]) => {
    const fits = fc.record(members, { requiredKeys: [] }).map((given) => [given, false] as const);
    const wrong = fc.tuple(fits, unknownNames, hostile).map(([[given], name, value]) => {
      return [Object.fromEntries([...Object.entries(given), [name, value]]), true] as const;
    });
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    return fc.oneof(fits, wrong).map(([given, isWrong]) => {
      return { kind: 'own' as const, method, path, headers, body: JSON.stringify(given), isWrong };
    });
  });
  const queries = ownQueries.map(([path, parameters]) => {
    const fits = fc.subarray(Object.entries(parameters)).map((given) => [given, false] as const);
    const hostileValues = fc
      .tuple(fc.subarray(Object.entries(parameters)), hostile)
      .map(([given, value]) => [given.map(([name]) => [name, asText(value)] as const), false] as const);
    const wrong = fc
      .tuple(fits, unknownNames, hostile)
      .map(([[given], name, value]) => [[...given, [name, asText(value)] as const], true] as const);
    return fc.oneof(fits, hostileValues, wrong).map(([given, isWrong]) => {
      const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, value])).toString();
      const isChecked = !path.startsWith('/setup');
      const headers = { accept: path.startsWith('/api') ? 'application/json' : 'text/html' };
      return {
        kind: 'own' as const,
        method: 'GET',
        path: `${path}?${search}`,
        headers,
        body: null,
        isWrong: isWrong && isChecked,
      };
    });
  });
  return fc.oneof(...bodies, ...queries);
})();
