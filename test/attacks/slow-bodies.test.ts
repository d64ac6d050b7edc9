import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { expect, it } from 'vitest';
import { SignedIn } from '#test/demo/signed-in.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { openWholeServer } from '#test/support/server/auth-server.ts';
import { openReceivingProvider } from '#test/support/services/receiving-provider.ts';
import { trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

const dripEveryMs = 1_000;
const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=b';

/** A request whose body comes byte by byte until it is answered, or `end` is called. */
function dripping(url: string, headers: Readonly<Record<string, string>>) {
  const sent: ClientRequest = request(url, { method: 'POST', headers: { 'transfer-encoding': 'chunked', ...headers } });
  const answered = once(sent, 'response').then(([response]: IncomingMessage[]) => {
    response?.resume();
    return response?.statusCode;
  });
  sent.on('error', () => undefined);
  const timer = setInterval(() => sent.write(' '), dripEveryMs);
  sent.write(' ');
  const status = answered.finally(() => clearInterval(timer));
  return { sent, status, stop: () => clearInterval(timer) };
}

it('a body that arrives too slowly gets 408, before and after sign-in; uploads have more time (EDGE-017)', async () => {
  const provider = await openReceivingProvider();
  await using server = await openWholeServer({
    SALES_CRM_URL: `${provider.url}/sales`,
    TRACKER_WEBHOOK_SECRET: trackerSecret,
    WEBHOOK_REGISTRATION: 'off',
  });
  const person = await SignedIn.to(server.origin, ada);
  const extra = { plan: 'ultimate', seats: 100 };
  await person.call('POST', '/save', {
    service: 'sales_crm',
    auth_method: 'personal_token',
    access_token: 'a-key',
    extra,
  });
  const authorization = `Bearer ${await accessToken(server)}`;

  const upload = dripping(`${server.origin}/api/sales_crm/files`, { authorization, 'content-type': multipart });
  const slow = [
    dripping(`${server.origin}/register`, { 'content-type': json }),
    dripping(`${server.origin}/token`, { 'content-type': form }),
    dripping(`${server.origin}/login`, { 'content-type': form }),
    dripping(`${server.origin}/webhooks/tracker`, { 'content-type': json }),
    dripping(`${server.origin}/message`, { 'content-type': json, authorization }),
    dripping(`${server.origin}/api/sales_crm/files`, { authorization: 'Bearer forged', 'content-type': multipart }),
    dripping(`${server.origin}/nowhere`, { 'content-type': json }),
  ];
  const statuses = await Promise.all(slow.map(({ status }) => status));
  // Who is not let in is answered at once.
  expect(statuses).toEqual([408, 408, 408, 408, 408, 401, 401]);

  upload.stop();
  const part = (name: string, rest: string) => `--b\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n`;
  upload.sent.end(`\r\n${part('deal_id', '')}\r\n8\r\n${part('file', '; filename="a.txt"')}\r\ntext\r\n--b--\r\n`);
  expect(await upload.status).toBe(200);
  await provider.close();
});
