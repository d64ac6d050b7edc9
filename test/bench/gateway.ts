import type { ServerResponse } from 'node:http';
import got from 'got';
import { listenBare } from '#test/bench/listen-bare.ts';

/** Bare node:http that answers each request with what one call of the provider by bare got answered. */
export async function startGateway(provider: string, headers: Readonly<Record<string, string>>) {
  const call = got.extend({ headers, retry: { limit: 0 }, throwHttpErrors: false, responseType: 'buffer' });
  const answer = async (response: ServerResponse): Promise<void> => {
    try {
      const { statusCode, headers: answered, body } = await call(provider);
      const type = answered['content-type'] ?? 'application/octet-stream';
      response.writeHead(statusCode, { 'Content-Type': type, 'Content-Length': body.length }).end(body);
    } catch {
      response.writeHead(502).end();
    }
  };
  return listenBare((_, response) => void answer(response));
}
