import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ClientHarness, openClientHarness } from '#test/support/mcp/client-harness.ts';
import { eventsOf, toolsCall } from '#test/support/mcp/mcp-clients.ts';

let harness: ClientHarness;
beforeAll(async () => {
  harness = await openClientHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

type Headers = Readonly<Record<string, string>>;

const bearer = () => ({ authorization: `Bearer ${harness.token}` });
const post = (path: string, body: object, headers: Headers) =>
  fetch(new URL(path, harness.baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const calledSchema = z.object({
  result: z.looseObject({
    content: z.array(z.looseObject({ type: z.string() })),
    structuredContent: z.looseObject({}),
  }),
});
const call = async (name: string, input: object) => {
  const answer = await post('/message', toolsCall(1, name, { arguments: input }), bearer());
  return calledSchema.parse(await answer.json()).result;
};

describe('a signed contract that the model downloads', () => {
  const document = async (): Promise<string> => {
    const recipients = [{ email: 'maria@acme.example', first_name: 'Maria', last_name: 'Rossi', role: 'Client' }];
    const made = await call('signing_document_create', { name: 'Offer', template_uuid: 'tpl-offer', recipients });
    const id = String(made.structuredContent['id']);
    harness.signing.lifeCycle.process(id);
    return id;
  };

  it('is included in the answer while it is small', async () => {
    harness.signing.world.pdfBytes = 20_000;
    const id = await document();
    const { content } = await call('signing_document_download', { id });
    const address = `${harness.baseUrl}/api/signing/documents/${id}/download`;
    const resource = { uri: address, mimeType: 'application/pdf', blob: expect.stringMatching(/^JVBERi0xLjQ/) };
    expect(content).toEqual([expect.objectContaining({ type: 'text' }), { type: 'resource', resource }]);
  });

  it('is a link if it is larger than 512 KiB, which requires the same bearer token', async () => {
    harness.signing.world.pdfBytes = 600_000;
    const id = await document();
    const { content, structuredContent } = await call('signing_document_download', { id });
    const uri = `${harness.baseUrl}/api/signing/documents/${id}/download`;
    const size = Number(structuredContent['size']);
    expect(size).toBeGreaterThan(599_000);
    const link = { type: 'resource_link', uri, name: 'Offer.pdf', mimeType: 'application/pdf', size };
    expect(content).toEqual([expect.objectContaining({ type: 'text' }), link]);
    const file = await fetch(uri, { headers: bearer() });
    const bytes = Buffer.from(await file.arrayBuffer());
    expect([file.status, file.headers.get('content-type'), bytes.length]).toEqual([200, 'application/pdf', size]);
    expect([bytes.subarray(0, 8).toString(), bytes.subarray(-6).toString()]).toEqual(['%PDF-1.4', '%%EOF\n']);
    expect((await fetch(uri)).status).toBe(401);
  });
});

describe('a client that accepts anything (Accept: */*)', () => {
  const any = { accept: '*/*' };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const clientInfo = { name: 'c', version: '1' };
  const listed = { id: 1, result: { tools: expect.any(Array) } };

  it.each(['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'is answered with JSON in %s',
    async (version) => {
      const headers = { ...bearer(), ...any, 'mcp-protocol-version': version };
      const params = { protocolVersion: version, capabilities: {}, clientInfo };
      const begun = await post('/message', { jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers);
      expect(await begun.json()).toMatchObject({ id: 0, result: { protocolVersion: version } });
      const answer = await post('/message', list, headers);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(await answer.json()).toMatchObject(listed);
    },
  );

  it('is answered with JSON in 2026-07-28', async () => {
    const headers = { ...bearer(), ...any, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const answer = await post('/message', { ...list, params: { _meta } }, headers);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await answer.json()).toMatchObject(listed);
  });

  it('is answered on its stream with HTTP+SSE', async () => {
    const stream = await fetch(`${harness.baseUrl}/sse`, { headers: { ...bearer(), ...any } });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const events = eventsOf(stream);
    const endpoint = await events.next();
    const taken = await post(endpoint.value?.data ?? '', list, { ...bearer(), ...any });
    expect([taken.status, await taken.text()]).toEqual([202, '']);
    expect(JSON.parse((await events.next()).value?.data ?? '')).toMatchObject(listed);
    await events.return(null);
  });

  it.each([
    ['POST', '/message'],
    ['GET', '/message'],
    ['GET', '/sse'],
  ])('learns from %s %s how to sign in if it has no token', async (method, path) => {
    const answer = await fetch(new URL(path, harness.baseUrl), { method, headers: any });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    await answer.body?.cancel();
  });
});
