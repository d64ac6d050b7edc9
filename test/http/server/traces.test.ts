import type { IncomingHttpHeaders } from 'node:http';
import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { tracedRequests } from '#bootstrap/tracing/traced-requests.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { OpenTelemetryTracer } from '#infrastructure/tracing/open-telemetry-tracer.ts';
import { serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import {
  admin,
  notesOf,
  post,
  serverFolder,
  settled,
  signIn,
  startServer,
} from '#test/support/webhooks/webhook-server.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const exporter = new InMemorySpanExporter();

const named = (name: string): readonly ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => span.name === name);
const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId;

/** All that spans may contain. */
const attributes = [
  'error.type',
  'gen_ai.tool.name',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'mcp.method.name',
  'portolan.attempt',
  'portolan.delivery',
  'portolan.ending',
  'portolan.service',
  'rpc.response.status_code',
  'server.address',
  'server.port',
  'url.full',
  'url.path',
  'url.scheme',
];

beforeAll(() => {
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  api.trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
});
beforeEach(() => exporter.reset());
afterAll(() => {
  api.trace.disable();
  api.context.disable();
});

describe('a server in a program that collects spans', () => {
  let folder: Awaited<ReturnType<typeof serverFolder>>;
  let server: RunningPortolan;
  let cookie: string;

  beforeAll(async () => {
    folder = await serverFolder();
    server = await startServer(folder.path);
    cookie = await signIn(server.baseUrl);
  });
  afterAll(async () => {
    await server.stop();
    await folder.remove();
  });

  it('traces a delivery to its note (TRACE-003)', async () => {
    const delivery = salesCrmDelivery(dealPayload());
    const sent = { ...delivery, headers: { ...delivery.headers, traceparent } };
    expect((await post(server.baseUrl, sent)).status).toBe(200);
    await settled(server.baseUrl);
    expect(Object.keys(await notesOf(folder.path))).toContain('Deals/Sample deal.md');
    const [received] = named('POST /webhooks/sales_crm');
    const [worked] = named('delivery sales_crm');
    expect(received?.kind).toBe(api.SpanKind.SERVER);
    expect(worked).toMatchObject({ kind: api.SpanKind.CONSUMER, attributes: { 'portolan.ending': 'done' } });
    expect(parentOf(received)).toBe('00f067aa0ba902b7');
    expect(parentOf(worked)).toBe(received?.spanContext().spanId);
    const written = exporter
      .getFinishedSpans()
      .filter((span) => span.kind === api.SpanKind.INTERNAL && parentOf(span) === worked?.spanContext().spanId);
    expect(written.map(({ name }) => name)).toContain('vault notes.put');
    for (const span of [received, worked, ...written]) expect(span?.spanContext().traceId).toBe(traceId);
  });

  it('continues the trace of a request, with that of its _meta first (TRACE-002)', async () => {
    const other = '5bf92f3577b34da6a3ce929d0e0e4736';
    const _meta = { traceparent: `00-${other}-10f067aa0ba902b7-01` };
    const params = { name: 'vault_note_read', arguments: { path: 'Nowhere of mine.md' }, _meta };
    const headers = { cookie, traceparent, 'content-type': 'application/json', accept: 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect((await fetch(`${server.baseUrl}/message`, { method: 'POST', headers, body })).status).toBe(200);
    const [request] = named('POST /message');
    const [call] = named('tools/call vault_note_read');
    expect(request?.spanContext().traceId).toBe(traceId);
    expect(call?.spanContext().traceId).toBe(other);
    expect(parentOf(call)).toBe('10f067aa0ba902b7');
    expect(call?.links.map(({ context }) => context.spanId)).toEqual([request?.spanContext().spanId]);
    expect(named('vault notes.read_part').map(parentOf)).toContain(call?.spanContext().spanId);
  });

  it('has the path and the scheme of a request, without what parameters tell (TRACE-006)', async () => {
    const headers = { cookie };
    await fetch(`${server.baseUrl}/floki/index?of=Secret`, { headers });
    await fetch(`${server.baseUrl}/api/vault/vault/Secret%20note.md`, { headers });
    expect(named('GET /floki/index')[0]?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.route': '/floki/index',
      'url.path': '/floki/index',
      'url.scheme': 'http',
    });
    const [note] = exporter
      .getFinishedSpans()
      .filter(({ attributes: { 'http.route': route } }) => String(route).startsWith('/api/vault/vault/'));
    expect(note?.attributes).toMatchObject({ 'url.path': '/api/vault/vault/REDACTED', 'url.scheme': 'http' });
  });

  it('traces a request that no route takes, by its method (TRACE-006)', async () => {
    await fetch(`${server.baseUrl}/nothing`, { headers: { traceparent } });
    await fetch(`${server.baseUrl}/api/nothing/Secret?of=Secret`, { headers: { cookie }, method: 'DELETE' });
    const [scan] = named('GET');
    expect(scan?.kind).toBe(api.SpanKind.SERVER);
    expect(scan?.spanContext().traceId).toBe(traceId);
    expect(scan?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 401,
      'url.path': '/nothing',
      'url.scheme': 'http',
    });
    const [wrong] = named('DELETE');
    expect(wrong?.attributes).toMatchObject({ 'http.response.status_code': 404, 'url.path': '/api/REDACTED' });
    expect(scan?.status.code).toBe(api.SpanStatusCode.UNSET);
  });

  it('has no error for a folder of reactions that is not there', async () => {
    const own = await serverFolder();
    const fresh = await startServer(own.path);
    await expect.poll(() => named('vault folders.list').length).toBeGreaterThan(0);
    await fresh.stop();
    await own.remove();
    const failed = exporter.getFinishedSpans().filter(({ status }) => status.code === api.SpanStatusCode.ERROR);
    expect(failed.map(({ name }) => name)).toEqual([]);
  });

  it('reveals nothing of people, notes or secrets (TRACE-005)', async () => {
    const headers = { cookie, 'content-type': 'application/json', accept: 'application/json' };
    const call = (name: string) =>
      fetch(`${server.baseUrl}/message?of=Secret`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }),
      });
    await call('Secret tool');
    await fetch(`${server.baseUrl}/api/vault/vault/Secret%20note.md?of=Secret`, { headers });
    await post(server.baseUrl, salesCrmDelivery(dealPayload({ title: 'Secret deal' }, {}, '2026-02-01T08:00:00Z')));
    await settled(server.baseUrl);
    const spans = exporter.getFinishedSpans();
    expect(spans.length).toBeGreaterThan(5);
    const exported = JSON.stringify(spans.map((span) => [span.name, span.attributes, span.status, span.events]));
    for (const secret of ['Secret', admin.email, admin.password, cookie.split('user=')[1] ?? 'user=', folder.path]) {
      expect(exported).not.toContain(secret);
    }
    const keys = new Set(spans.flatMap((span) => Object.keys(span.attributes)));
    expect([...keys].filter((key) => !attributes.includes(key))).toEqual([]);
  });
});

describe('a request to a service', () => {
  it('is a span, and does not send the trace to the service (TRACE-004)', async () => {
    const heard: IncomingHttpHeaders[] = [];
    const service = await serveOnLoopback((request, response) => {
      heard.push(request.headers);
      response.writeHead(404).end();
    });
    const tracer = new OpenTelemetryTracer(api, '0');
    const http = new HttpClient(Math.random, { around: tracedRequests(tracer) });
    const request = {
      method: 'GET',
      url: `${service.url}/a?key=1`,
      headers: {},
      timeoutMs: 60_000,
      maxBytes: 10,
    } as const;
    await tracer.span({ name: 'whole', kind: 'server', attributes: {} }, async () => http.send(request));
    await http.within('private').send(request);
    http.close();
    await service.close();
    const [first, given] = named('GET');
    const [whole] = named('whole');
    expect(parentOf(first)).toBe(whole?.spanContext().spanId);
    const seen = { 'http.request.method': 'GET', 'http.response.status_code': 404, 'error.type': '404' };
    expect(first).toMatchObject({ kind: api.SpanKind.CLIENT });
    const { port } = new URL(service.url);
    expect(first?.attributes).toEqual({
      ...seen,
      'server.address': '127.0.0.1',
      'server.port': Number(port),
      'url.full': `http://127.0.0.1:${port}/REDACTED`,
    });
    expect(given?.attributes).toEqual(seen);
    expect(heard).toHaveLength(2);
    for (const headers of heard) expect(Object.keys(headers)).not.toContain('traceparent');
  });

  it('that throws marks its span, without the error', async () => {
    const tracer = new OpenTelemetryTracer(api, '0');
    const work = tracer.span({ name: 'thrown', kind: 'server', attributes: {} }, async () => {
      throw new TypeError('of a person');
    });
    await expect(work).rejects.toThrow('of a person');
    const [span] = named('thrown');
    expect(span?.attributes).toEqual({ 'error.type': 'TypeError' });
    expect(span?.status).toEqual({ code: api.SpanStatusCode.ERROR });
  });
});
