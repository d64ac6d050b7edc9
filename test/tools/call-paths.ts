import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { openInbox } from '#test/bench/deliveries.ts';
import { personalToken, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { type CoveredFile, filesRunBy } from '#test/support/measures/run-coverage.ts';
import { sendJson, startWholeServer } from '#test/support/server/whole-server.ts';
import { newIssueRequest, trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

/*
 * Prints the source files, and the functions in them, that four calls pass through, from the first byte of the request until what it
 * asks for is done: `tools/call` over `POST /message` of a record, of a list and of a note of the team's vault, and a webhook delivery
 * that becomes a note. The server and an emulated provider run in this process. `call-paths.ts 'a list'` prints one of them.
 */
const crm = await startSalesCrmEmulator({ dialect: 'neutral', retryWaitsMs: [] });
const deal = crm.records.create('deal', { title: 'Acme' });
const server = await startWholeServer({
  SALES_CRM_URL: crm.url,
  PRIVATE_ADDRESSES: 'on',
  LOG_LEVEL: 'info',
  TRACKER_WEBHOOK_SECRET: trackerSecret,
});
const browser = await server.signedIn();
const { status } = await sendJson(server, browser, [
  'POST',
  '/save',
  { service: 'sales_crm', auth_method: 'personal_token', access_token: personalToken },
]);
if (status !== 200) throw new Error(`The sales CRM could not be connected: ${status}.`);
await mkdir(join(server.dataDir, 'vault', 'Deals'), { recursive: true });
await writeFile(join(server.dataDir, 'vault', 'Deals', 'Acme.md'), '# Acme\n\nA note of two lines.\n');

const inbox = openInbox(join(server.dataDir, 'portolan.sqlite'));
const secret = (await readFile(join(server.dataDir, 'secret_key_base'), 'utf8')).trim();
const token = await new JweSessionTokens([deriveKey(secret, 'session')]).seal({ userId: 1, issuedAt: Date.now() });
const answerSchema = z.object({
  result: z.object({ isError: z.literal(false).optional(), content: z.array(z.unknown()) }),
});

const toolCall = (name: string, given: object) => async () => {
  const response = await fetch(`${server.origin}/message`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
  });
  answerSchema.parse(await response.json());
};

/** Sends a new issue, and waits until the delivery has ended. */
const deliver = async () => {
  const { headers, body } = newIssueRequest('ENG', 'Fix login');
  const ended = inbox.finished();
  const response = await fetch(`${server.origin}/webhooks/tracker`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`The delivery is answered ${response.status}.`);
  while (inbox.finished() === ended) await delay(5);
};

const calls: Readonly<Record<string, () => Promise<void>>> = {
  'a record': toolCall('sales_crm_deal_get', { id: Number(deal.id) }),
  'a list': toolCall('sales_crm_deals_list', { limit: 5 }),
  'a note': toolCall('vault_note_read', { path: 'Deals/Acme.md' }),
  'a delivery': deliver,
};

const [only] = process.argv.slice(2);
for (const [name, act] of Object.entries(calls)) {
  if (only !== undefined && only !== name) continue;
  // Jobs of the server's own may run meanwhile: the shortest of many lists is the call's.
  const lists: (readonly CoveredFile[])[] = [];
  for (let measured = 0; measured < 10; measured += 1) lists.push(await filesRunBy(act));
  const [shortest = []] = lists.toSorted((a, b) => a.length - b.length);
  for (const { path, functions } of shortest) process.stdout.write(`${path}  ${functions.join(', ')}\n`);
  const functions = shortest.reduce((sum, file) => sum + file.functions.length, 0);
  process.stdout.write(`${name}: ${shortest.length} files, ${functions} functions\n`);
}
await server[Symbol.asyncDispose]();
await crm.close();
process.exit(0);
