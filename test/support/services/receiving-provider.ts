import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Busboy } from '@fastify/busboy';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';

/** A file as it arrived: what was announced of it, and the hash of its bytes. */
export type ReceivedFile = Readonly<{ field: string; name: string; type: string; bytes: number; sha256: string }>;

/** A request as it arrived at the provider; `isWhole` is false for one that was broken off. */
export type Received = Readonly<{
  path: string;
  fields: Readonly<Record<string, string>>;
  files: readonly ReceivedFile[];
  json: unknown;
  isWhole: boolean;
}>;

/** A provider that takes files, keeps what each request brought, and answers every other request that all is well. */
export async function openReceivingProvider(): Promise<LoopbackServer & Readonly<{ received: Received[] }>> {
  const received: Received[] = [];
  const server = await serveOnLoopback((request, response) => void serve(request, response, received));
  return { ...server, received };
}

async function serve(request: IncomingMessage, response: ServerResponse, received: Received[]): Promise<void> {
  const { pathname, searchParams, search } = new URL(request.url ?? '/', 'http://provider');
  const redirect = searchParams.get('redirect_uri');
  if (redirect !== null) {
    const back = new URL(redirect);
    back.search = new URLSearchParams({ code: 'the-code', state: searchParams.get('state') ?? '' }).toString();
    response.writeHead(302, { location: back.href }).end();
    return;
  }
  const isUpload = request.method === 'POST' && !pathname.endsWith('/token');
  if (isUpload) received.push({ path: `${pathname}${search}`, ...(await bodyOf(request)) });
  else request.resume();
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      success: true,
      id: 'made',
      data: isUpload ? [{ code: 'SUCCESS', details: { id: '1' }, status: 'success', message: 'attached' }] : {},
      access_token: 'the-access-token',
      refresh_token: 'the-refresh-token',
      expires_in: 3600,
    }),
  );
}

type Body = Omit<Received, 'path'>;

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const { 'content-type': type = '' } = request.headers;
  return type.startsWith('multipart/') ? formOf(request, type) : jsonOf(request);
}

async function jsonOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return { fields: {}, files: [], json: text === '' ? null : JSON.parse(text), isWhole: true };
}

function formOf(request: IncomingMessage, type: string): Promise<Body> {
  const fields: Record<string, string> = {};
  const files: ReceivedFile[] = [];
  return new Promise((resolve) => {
    const end = (isWhole: boolean) => resolve({ fields, files, json: null, isWhole });
    const form = new Busboy({ headers: { 'content-type': type } });
    form.on('field', (name, value) => {
      fields[name] = value;
    });
    form.on('file', (field, stream, name, _, mediaType) => {
      const hash = createHash('sha256');
      let bytes = 0;
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        hash.update(chunk);
      });
      stream.on('error', () => end(false));
      stream.on('end', () => files.push({ field, name, type: mediaType, bytes, sha256: hash.digest('hex') }));
    });
    form.on('error', () => end(false));
    form.on('finish', () => end(true));
    request.once('close', () => end(false));
    request.pipe(form);
  });
}
