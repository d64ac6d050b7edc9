import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';
import { serveOnLoopback } from '#test/support/network/loopback-server.ts';

const patchSchema = z.object({
  params: z.object({ arguments: z.object({ path: z.string(), content: z.number() }) }),
});

/**
 * Bare node:http that does by hand what `vault_note_patch` does: reads the note, changes one line and writes it atomically, each on disk
 * before its answer. It takes the same bodies and answers with the note.
 */
export async function startPatching(folder: string, notes: number) {
  await mkdir(join(folder, 'Deals'), { recursive: true });
  for (let n = 0; n < notes; n += 1)
    await writeFile(join(folder, 'Deals', `${n}.md`), '---\nvalue: 1\n---\n# A note\n');
  const underWay = new Map<string, Promise<unknown>>();
  let made = 0;
  const patched = async (path: string, value: number): Promise<string> => {
    const text = (await readFile(path, 'utf8')).replace(/^value: .*$/m, `value: ${value}`);
    made += 1;
    const temporary = `${path}.${made}.tmp`;
    const file = await open(temporary, 'wx');
    await file.writeFile(text);
    await file.sync();
    await file.close();
    await rename(temporary, path);
    const parent = await open(join(folder, 'Deals'), 'r');
    await parent.sync();
    await parent.close();
    return text;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { path, content } = patchSchema.parse(JSON.parse(await textOf(request))).params.arguments;
    const place = join(folder, path);
    // The changes of one note are made one after the other.
    const change = (underWay.get(place) ?? Promise.resolve()).then(() => patched(place, content));
    underWay.set(place, change);
    const text = JSON.stringify({ result: await change });
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      .end(text);
  };
  const server = await serveOnLoopback((request, response) => void answer(request, response));
  return { ...server, headers: {} };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
