import * as fc from 'fast-check';
import { z } from 'zod';
import { hostile, valuesOf } from '#test/fuzz/values.ts';
import { salesCrmSecret, signingKey, suiteCrmToken } from '#test/support/webhooks/webhook-senders.ts';
import { sign, trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

/** A request as it is sent, but for who sends it. `body` is null where there is none. */
export type FuzzRequest = Readonly<{
  kind: 'rest' | 'tool' | 'mcp' | 'delivery' | 'note' | 'session';
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  /** Whether nobody who sends this may get a success. */
  isBarred?: boolean;
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

/** Tools as `tools/list` tells them. */
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
export function toolRequest(kind: 'tool' | 'note', name: string, given: unknown): FuzzRequest {
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
