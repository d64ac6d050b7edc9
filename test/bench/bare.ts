import { Buffer } from 'node:buffer';
import { listenBare } from '#test/bench/listen-bare.ts';

/** Bare node:http that reads a request to its end and answers always the same bytes. */
export async function startBare(body: string, type: string) {
  const bytes = Buffer.from(body);
  return listenBare((_, response) => {
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length }).end(bytes);
  });
}
