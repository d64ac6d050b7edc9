import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { SignedWebhook } from '#adapters/notifications/signed-webhook.ts';
import { SmtpMail } from '#adapters/notifications/smtp-mail.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { startMailServer, startReceiver } from '#test/support/notifications/receivers.ts';

const [secret, other] = ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];
const http = new HttpClient();
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;

beforeAll(async () => {
  [receiver, mailServer] = await Promise.all([startReceiver(), startMailServer()]);
});
afterEach(() => {
  receiver.received.length = 0;
  mailServer.received.length = 0;
  receiver.state.mood = 'takes';
  mailServer.state.refuses = false;
});
afterAll(async () => {
  http.close();
  await Promise.all([receiver.close(), mailServer.close()]);
});

const never = new AbortController().signal;
const keysOf = (...secrets: readonly string[]) => secrets.map((one) => Buffer.from(one, 'base64'));
const webhook = (url = receiver.url, keys = keysOf(secret)) =>
  new SignedWebhook({ http, url, keys, clock: systemClock });
const message = { id: 'msg_1', body: '{"type":"connection.broken"}' };

it('a message is signed as Standard Webhooks has it, also for a receiver with the former secret (NOTIFY-002)', async () => {
  expect(await webhook(receiver.url, keysOf(other, secret)).send(message, never)).toEqual({ kind: 'sent' });
  const [{ headers, body, path } = { headers: {}, body: '', path: '' }] = receiver.received;
  expect(path).toBe('/hooks?of=portolan');
  expect(headers).toMatchObject({ 'webhook-id': 'msg_1', 'content-type': 'application/json' });
  for (const one of [secret, other])
    expect(new Webhook(`whsec_${one}`).verify(body, headers)).toEqual({ type: 'connection.broken' });
  expect(() => new Webhook(`whsec_${secret}`).verify(`${body} `, headers)).toThrow();
  expect(() => new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA').verify(body, headers)).toThrow();
});

it('a receiver that fails gets it again; a redirect is not followed (NOTIFY-004, NOTIFY-008)', async () => {
  receiver.state.mood = 'fails';
  expect(await webhook().send(message, never)).toMatchObject({ kind: 'failed', error: 'HTTP 500' });
  receiver.state.mood = 'redirects';
  expect(await webhook().send(message, never)).toMatchObject({ kind: 'failed', error: 'HTTP 307' });
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks?of=portolan', '/hooks?of=portolan']);
});

it('an answer without end is not read: its status says that the message was taken (NOTIFY-008)', async () => {
  receiver.state.mood = 'floods';
  expect(await webhook().send(message, never)).toEqual({ kind: 'sent' });
});

it('a receiver that hangs holds up no stop (NOTIFY-008)', async () => {
  receiver.state.mood = 'hangs';
  const stop = new AbortController();
  const sending = webhook().send(message, stop.signal);
  await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(1);
  stop.abort();
  expect(await sending).toMatchObject({ kind: 'failed' });
});

it('nothing is sent to a link-local address, and nobody listens at a closed port (NOTIFY-008)', async () => {
  expect(await webhook('http://169.254.169.254/latest').send(message, never)).toEqual({
    kind: 'failed',
    error: 'address',
  });
  expect(await webhook('http://127.0.0.1:9/').send(message, never)).toEqual({ kind: 'failed', error: 'network' });
});

const mail = { id: 'msg_2', to: 'ada@example.com', subject: 'Connect Tracker again', text: 'Connect it again:\n' };
const smtp = (url = mailServer.url) => new SmtpMail({ url, from: 'Portolan <portolan@example.com>' });
const headersOf = (source: string) => source.slice(0, source.indexOf('\r\n\r\n'));

it('an e-mail goes over SMTP, as plain text from MAIL_FROM, with a stable id (NOTIFY-005)', async () => {
  expect(await smtp().send(mail, never)).toEqual({ kind: 'sent' });
  const [got = { from: '', to: [], source: '' }] = mailServer.received;
  expect([got.from, got.to]).toEqual(['portolan@example.com', ['ada@example.com']]);
  const headers = headersOf(got.source);
  expect(headers).toContain('From: Portolan <portolan@example.com>');
  expect(headers).toContain('Subject: Connect Tracker again');
  expect(headers).toContain('Message-ID: <msg_2@example.com>');
  expect(headers).toContain('Auto-Submitted: auto-generated');
  expect(headers).toContain('Content-Type: text/plain');
  expect(got.source).toContain('Connect it again:');
});

it.each([
  ['a line break in the subject', { subject: 'A\r\nBcc: eve@example.com\r\n\r\nbody' }],
  ['a line break in the address', { to: 'ada@example.com\r\nBcc: eve@example.com' }],
  ['several addresses', { to: 'ada@example.com, eve@example.com' }],
  ['a name with an address', { to: 'Ada <eve@example.com>' }],
  ['a separator of lines in the subject', { subject: 'A\u2028Bcc: eve@example.com' }],
])('%s adds no header and no recipient (NOTIFY-008)', async (_, more) => {
  await smtp().send({ ...mail, ...more }, never);
  for (const { to, source } of mailServer.received) {
    expect(to).toHaveLength(1);
    expect(to).not.toContain('eve@example.com');
    expect(headersOf(source)).not.toMatch(/^bcc:/im);
  }
});

it('a mailbox that there is not is given up; a server that is away is tried again (NOTIFY-004)', async () => {
  mailServer.state.refuses = true;
  expect(await smtp().send(mail, never)).toEqual({ kind: 'refused', error: 'EENVELOPE 550' });
  expect(await smtp('smtp://127.0.0.1:9').send(mail, never)).toMatchObject({ kind: 'failed' });
});

it('a password is sent to no other machine without TLS, and errors name neither (NOTIFY-008)', async () => {
  // The server here offers no TLS; another address of this machine counts as another machine.
  const address = mailServer.url.replace('127.0.0.1', 'ada:secret-word@127.0.0.2');
  const sending = await smtp(address).send(mail, never);
  expect(sending.kind).toBe('failed');
  expect(JSON.stringify(sending)).not.toContain('secret-word');
  expect(mailServer.received).toEqual([]);
});
