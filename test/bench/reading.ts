import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { listenBare } from '#test/bench/listen-bare.ts';

/** Bare node:http that reads a request to its end and answers with the text of a file, which it reads for each request. */
export async function startReading(path: string) {
  const answer = async (response: ServerResponse): Promise<void> => {
    const text = JSON.stringify({ result: await readFile(path, 'utf8') });
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      .end(text);
  };
  return listenBare((_, response) => void answer(response));
}
