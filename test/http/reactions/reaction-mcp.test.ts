import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import { post, serverFolder, settled, startServer } from '#test/support/webhooks/webhook-server.ts';

let folder: Awaited<ReturnType<typeof serverFolder>>;
let server: RunningPortolan;
let client: Client;

const text = `---
reaction: dry
when: sales_crm.updated.deal
note: Log.md
---
- {{ deal.title }}
`;
const uri = 'portolan://reactions/Reactions/my%20log.md';
const promptSchema = z.object({ messages: z.tuple([z.object({ content: z.object({ text: z.string() }) })]) });
const contents = z.object({ contents: z.tuple([z.object({ text: z.string() })]) });

beforeAll(async () => {
  folder = await serverFolder();
  await mkdir(join(folder.path, 'vault', 'Reactions'), { recursive: true });
  await writeFile(join(folder.path, 'vault', 'Reactions', 'my log.md'), text);
  server = await startServer(folder.path);
  const secret = (await readFile(join(folder.path, 'secret_key_base'), 'utf8')).trim();
  const token = await new JweSessionTokens([deriveKey(secret, 'session')]).seal({ userId: 1, issuedAt: Date.now() });
  client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new SSEClientTransport(new URL('/sse', server.baseUrl), { requestInit }));
});
afterAll(async () => {
  await client.close();
  await server.stop();
  await folder.remove();
});

const read = async (address = uri) => contents.parse(await client.readResource({ uri: address })).contents[0].text;

it('the prompt gives a model the format, the events and the operations, within bounds (WRITE-018)', async () => {
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('write_a_reaction');
  const get = async (more: Readonly<Record<string, string>>) => {
    const answer = await client.getPrompt({
      name: 'write_a_reaction',
      arguments: { request: 'Note what is won', ...more },
    });
    return promptSchema.parse(answer).messages[0].content.text;
  };
  const all = await get({});
  expect(all.length).toBeLessThan(32_000);
  expect((await get({ request: 'x'.repeat(50_000) })).length).toBeLessThan(32_000);
  for (const part of [
    'Note what is won',
    'deal.currency',
    'tracker.issue.create',
    'tracker.issues.create',
    'title*, team',
  ]) {
    expect(all).toContain(part);
  }
  const some = await get({ services: 'signing' });
  expect(some).toContain('signing.document_state_changed');
  expect(some).not.toContain('tracker.issue.create,');
  // Its example is a reaction without faults.
  const [example = ''] = /^---\nreaction:[\s\S]*?\n---\n.*\n/m.exec(all) ?? [];
  await writeFile(join(folder.path, 'vault', 'Reactions', 'example.md'), example);
  const read = () => readFile(join(folder.path, 'vault', 'Reactions', 'example.md'), 'utf8');
  await expect.poll(read, { timeout: 30_000 }).toContain('reaction_status: ok');
});

it('the result of a dry reaction is a resource, whose subscribers hear of each (WRITE-019)', async () => {
  const updated: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updated.push(params.uri);
  });
  expect((await client.listResources()).resources.map((one) => one.uri)).toContain(uri);
  expect(await read()).toContain('has not run');
  await client.subscribeResource({ uri });
  await post(server.baseUrl, salesCrmDelivery(dealPayload({ id: 7, title: 'Acme' })));
  await settled(server.baseUrl);
  await expect.poll(() => updated, { timeout: 30_000 }).toContain(uri);
  const outcome = await read();
  expect(outcome).toContain('would write into Log.md');
  expect(outcome).toContain('What it would have done for the last matching deliveries');
  expect(outcome).toContain('- Acme');
  await expect(read('portolan://reactions/Reactions/none.md')).rejects.toThrow('not found');
});
