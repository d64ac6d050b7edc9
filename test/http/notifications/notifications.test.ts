import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '#test/kit/free-port.ts';
import { startMailServer, startReceiver } from '#test/support/notifications/receivers.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import {
  childEnv,
  metricsToken,
  post,
  serverFolder,
  serverSettings,
  signIn,
  startServer,
} from '#test/support/webhooks/webhook-server.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** A reaction whose key is empty: it fails on every deal. */
const failing = `---
reaction: on
when: sales_crm.updated.deal
note: Log.md
once: "{% if deal.id == 0 %}x{% endif %}"
---
- {{ deal.title }}
`;

async function folderWith(text: string) {
  const folder = await serverFolder();
  await mkdir(join(folder.path, 'vault', 'Reactions'), { recursive: true });
  await writeFile(join(folder.path, 'vault', 'Reactions', 'won.md'), text);
  return folder;
}

const delivery = (id: number) => salesCrmDelivery(dealPayload({ id, title: `Secret title ${id}` }));

describe('a server that notifies', () => {
  let folder: Awaited<ReturnType<typeof serverFolder>>;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let mailServer: Awaited<ReturnType<typeof startMailServer>>;
  let server: Awaited<ReturnType<typeof startServer>>;
  let cookie: string;

  beforeAll(async () => {
    [folder, receiver, mailServer] = await Promise.all([folderWith(failing), startReceiver(), startMailServer()]);
    server = await startServer(folder.path, {
      NOTIFY_URL: receiver.url,
      NOTIFY_SECRET: secret,
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'Portolan <portolan@example.com>',
    });
    cookie = await signIn(server.baseUrl);
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([receiver.close(), mailServer.close(), folder.remove()]);
  });

  const page = async (path: string) => (await fetch(`${server.baseUrl}${path}`, { headers: { cookie } })).text();
  const typesOf = () => receiver.received.map(({ body }): unknown => JSON.parse(body).type);

  it('says at its address and by e-mail that a reaction failed, signed, without contents (NOTIFY-002, NOTIFY-005)', async () => {
    await post(server.baseUrl, delivery(7));
    await expect.poll(typesOf, { timeout: 30_000 }).toContain('reaction.failed');
    const message = receiver.received.find(({ body }) => body.includes('reaction.failed'));
    const verified = new Webhook(secret).verify(message?.body ?? '', message?.headers ?? {});
    expect(verified).toMatchObject({
      type: 'reaction.failed',
      data: { reaction: 'Reactions/won.md', delivery: 1, url: `${server.baseUrl}/deliveries/1` },
    });
    await expect.poll(() => mailServer.received.length, { timeout: 30_000 }).toBe(1);
    const [mail = { to: [], source: '' }] = mailServer.received;
    expect(mail.to).toEqual(['ada@example.com']);
    expect(mail.source).toContain('A reaction failed');
    expect(message?.body).not.toContain('Secret title');
    expect(mail.source).not.toContain('Secret title');
  });

  it('counts at /metrics what it sends, and what waits (NOTIFY-012)', async () => {
    const headers = { authorization: `Bearer ${metricsToken}` };
    const metrics = async () => (await fetch(`${server.baseUrl}/metrics`, { headers })).text();
    await expect
      .poll(metrics, { timeout: 30_000 })
      .toContain('portolan_notifications_total{kind="reaction.failed",channel="webhook",result="sent"} 1');
    await expect.poll(metrics, { timeout: 30_000 }).toContain('portolan_notifications_waiting{channel="webhook"} 0');
  });

  it('says that a user was invited, and never the link of the invitation (NOTIFY-009, NOTIFY-008)', async () => {
    const invited = await fetch(`${server.baseUrl}/api/users`, {
      method: 'POST',
      headers: { cookie, origin: server.baseUrl, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'bob@example.com', permissions: [], admin: false }),
    });
    expect(invited.status).toBe(201);
    await expect.poll(typesOf, { timeout: 30_000 }).toContain('user.invited');
    await expect.poll(() => mailServer.received.length, { timeout: 30_000 }).toBe(2);
    const all = JSON.stringify([receiver.received, mailServer.received]);
    expect(all).not.toContain('/welcome');
    expect(all).not.toContain('bob@example.com');
  });

  it('has three switches of e-mails at /account, which are kept (NOTIFY-007)', async () => {
    const shown = await page('/account');
    expect(shown.match(/id="mail-\w+" name="on" value="\w+" checked/g)).toHaveLength(3);
    const [token = ''] = /(?<=name="csrf_token" value=")[^"]+/.exec(shown) ?? [];
    const form = (fields: readonly (readonly [string, string])[]) =>
      fetch(`${server.baseUrl}/account/e-mails`, {
        method: 'POST',
        headers: { cookie, origin: server.baseUrl },
        body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])),
        redirect: 'manual',
      });
    const all = ['connections', 'approvals', 'failures'].map((name) => ['shown', name] as const);
    expect((await form([...all, ['on', 'failures']])).status).toBe(403);
    expect((await form([['csrf_token', token], ...all, ['on', 'connections'], ['on', 'everything']])).status).toBe(303);
    expect((await page('/account')).match(/id="mail-(\w+)"[^>]* checked/g)).toHaveLength(1);
    const before = mailServer.received.length;
    await post(server.baseUrl, delivery(8));
    await expect
      .poll(() => receiver.received.filter(({ body }) => body.includes('"delivery":2')).length, { timeout: 30_000 })
      .toBe(1);
    expect(mailServer.received).toHaveLength(before);
  });

  it('serves and stops while its receiver hangs (NOTIFY-008)', async () => {
    receiver.state.mood = 'hangs';
    const before = receiver.received.length;
    await post(server.baseUrl, delivery(9));
    await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(before + 1);
    expect((await fetch(`${server.baseUrl}/healthz`)).status).toBe(200);
    await server.stop();
  });
});

it('a message that a kill with -9 cut off comes again after the restart, under the same id (NOTIFY-004)', async () => {
  const [folder, receiver] = await Promise.all([folderWith(failing), startReceiver()]);
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const program = await testedProgram('bootstrap/main.ts');
  const children: ChildProcess[] = [];
  const start = () => {
    const more = { PORT: `${port}`, BASE_URL: baseUrl, NOTIFY_URL: receiver.url, NOTIFY_SECRET: secret };
    const child = spawn(process.execPath, [program], {
      env: childEnv(serverSettings(folder.path, more)),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    children.push(child);
    return child;
  };
  const kill = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  try {
    receiver.state.mood = 'hangs';
    const first = start();
    const isUp = () =>
      fetch(`${baseUrl}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isUp, { timeout: 120_000 }).toBe(true);
    await post(baseUrl, delivery(7));
    await expect.poll(() => receiver.received.length, { timeout: 120_000 }).toBe(1);
    await kill(first);
    receiver.state.mood = 'takes';
    start();
    await expect.poll(() => receiver.received.length, { timeout: 120_000 }).toBe(2);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids[1]).toBe(ids[0]);
  } finally {
    for (const child of children) await kill(child);
    await Promise.all([receiver.close(), folder.remove()]);
  }
});

it('settings that do not belong together are refused at the start, without their values (NOTIFY-010)', async () => {
  const folder = await serverFolder();
  const refused = async (more: Readonly<Record<string, string>>) => {
    try {
      await startServer(folder.path, more);
      return 'started';
    } catch (error) {
      return String(error);
    }
  };
  const wrong = {
    NOTIFY_URL: 'ftp://user:hidden@example.com/',
    NOTIFY_SECRET: 'whsec_tooshort',
    SMTP_URL: 'http://ada:hidden@example.com',
    MAIL_FROM: 'not an address\r\nBcc: eve@example.com',
  };
  const all = await refused(wrong);
  for (const name of Object.keys(wrong)) expect(all).toContain(name);
  expect(all).not.toContain('hidden');
  expect(await refused({ NOTIFY_URL: 'http://127.0.0.1:9/' })).toContain('NOTIFY_SECRET: must be set with NOTIFY_URL');
  expect(await refused({ MAIL_FROM: 'a@example.com' })).toContain('SMTP_URL: must be set with MAIL_FROM');
  await folder.remove();
});
