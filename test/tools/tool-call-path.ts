import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { personalToken, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { type CoveredFile, filesRunBy } from '#test/support/measures/run-coverage.ts';
import { sendJson, startWholeServer } from '#test/support/server/whole-server.ts';

/*
 * Prints the source files, and the functions in them, that one `tools/call` over `POST /message` passes through, from the first byte of
 * the request to the last of the answer, the provider's own request between them. The server and an emulated provider run in this process.
 */
const crm = await startSalesCrmEmulator({ dialect: 'neutral', retryWaitsMs: [] });
const deal = crm.records.create('deal', { title: 'Acme' });
const server = await startWholeServer({ SALES_CRM_URL: crm.url, PRIVATE_ADDRESSES: 'on', LOG_LEVEL: 'info' });
const browser = await server.signedIn();
const { status } = await sendJson(server, browser, [
  'POST',
  '/save',
  { service: 'sales_crm', auth_method: 'personal_token', access_token: personalToken },
]);
if (status !== 200) throw new Error(`The sales CRM could not be connected: ${status}.`);

const call = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'sales_crm_deal_get', arguments: { id: Number(deal.id) } },
};
const answered = z.object({ result: z.object({ structuredContent: z.looseObject({ title: z.literal('Acme') }) }) });
const secret = (await readFile(join(server.dataDir, 'secret_key_base'), 'utf8')).trim();
const token = await new JweSessionTokens([deriveKey(secret, 'session')]).seal({ userId: 1, issuedAt: Date.now() });
const request = {
  method: 'POST',
  headers: {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2025-11-25',
  },
  body: JSON.stringify(call),
};
const send = async () => answered.parse(await (await fetch(`${server.origin}/message`, request)).json());

/** Jobs of the server's own may run meanwhile: the shortest of many lists is the call's. */
const lists: (readonly CoveredFile[])[] = [];
for (let measured = 0; measured < 20; measured += 1) lists.push(await filesRunBy(send));
const [shortest = []] = lists.toSorted((a, b) => a.length - b.length);

for (const { path, functions } of shortest) process.stdout.write(`${path}  ${functions.join(', ')}\n`);
const functions = shortest.reduce((sum, file) => sum + file.functions.length, 0);
process.stdout.write(`${shortest.length} files, ${functions} functions\n`);
await server[Symbol.asyncDispose]();
await crm.close();
process.exit(0);
