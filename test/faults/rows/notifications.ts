import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Extent, FaultRow, Measured } from '#test/faults/row.ts';
import { openStand } from '#test/faults/stand.ts';
import { type Mood, type ReceivedMessage, startReceiver } from '#test/support/notifications/receivers.ts';
import { openCluster } from '#test/support/server/cluster.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import { post } from '#test/support/webhooks/webhook-server.ts';

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
const bodySchema = z.looseObject({ type: z.string(), data: z.looseObject({ delivery: z.number().optional() }) });
const moods: readonly Mood[] = ['hangs', 'fails', 'redirects', 'hangs', 'floods'];

/** Notifications of failed reactions, from servers that are killed and to a receiver that has faults. */
export const notifications: readonly FaultRow[] = [
  {
    subject: 'notifications',
    fault: 'kill -9, and a receiver that hangs, fails, redirects and floods',
    holds: 'Each failure is posted at least once, under one id (NOTIFY-004)',
    run: killed,
  },
  {
    subject: 'notifications',
    fault: 'kill -9 while users are invited',
    holds: 'Each user who was invited is notified of, at least once, under one id (NOTIFY-011)',
    run: inviting,
  },
  {
    subject: 'notifications',
    fault: 'three servers on one PostgreSQL',
    holds: 'Each failure is posted once, under one id (NOTIFY-003)',
    run: together,
  },
];

async function killed({ kills }: Extent): Promise<Measured> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-notify-'));
  const receiver = await startReceiver();
  try {
    await writeReaction(join(dataDir, 'vault'));
    const env = { NOTIFY_URL: receiver.url, NOTIFY_SECRET: secret };
    await using stand = await openStand({ dataDir, env, isConnected: false });
    let sent = 0;
    for (let kill = 0; kill < Math.min(kills, 3); kill += 1) {
      receiver.state.mood = moods[kill % moods.length] ?? 'hangs';
      const before = receiver.received.length;
      for (let more = 0; more < 3; more += 1) {
        sent += 1;
        await send(stand.baseUrl, sent);
      }
      await until('a message is on its way', async () => receiver.received.length > before);
      await stand.crash();
    }
    receiver.state.mood = 'takes';
    const begun = performance.now();
    await until('each failure was posted', async () => takenIn(receiver.received).size === sent);
    return measured(receiver.received, sent, performance.now() - begun);
  } finally {
    await receiver.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Kills a server in the middle of invitations; those whose answer was lost are counted by the users that there are. */
async function inviting({ kills }: Extent): Promise<Measured> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-invite-'));
  const receiver = await startReceiver();
  try {
    const env = { NOTIFY_URL: receiver.url, NOTIFY_SECRET: secret };
    await using stand = await openStand({ dataDir, env, isConnected: false });
    for (let kill = 0; kill < Math.min(kills, 10); kill += 1) {
      let answered = 0;
      const invite = async (index: number) => {
        await stand.person.call('POST', '/api/users', { email: `user-${kill}-${index}@example.com` });
        answered += 1;
      };
      const all = Array.from({ length: 12 }, (_, index) => invite(index).catch(() => undefined));
      await until('some are invited', async () => answered > 1);
      await stand.crash();
      await Promise.all(all);
    }
    const begun = performance.now();
    const invited = idsIn(await stand.person.call('GET', '/api/users?state=invited'));
    await until('each is notified of', async () => {
      const posted = invitedIn(receiver.received);
      return invited.every((id) => posted.has(id));
    });
    const posted = invitedIn(receiver.received);
    const doubled = [...posted.values()].filter((ids) => ids.size > 1).length;
    const lost = invited.filter((id) => !posted.has(id)).length;
    const load = `${invited.length} invitations`;
    const recoveredAfterMs = performance.now() - begun;
    return { load, acknowledged: invited.length, lost, doubled, recoveredAfterMs, problems: [] };
  } finally {
    await receiver.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function together(): Promise<Measured> {
  const receiver = await startReceiver();
  try {
    await using cluster = await openCluster({ env: { NOTIFY_URL: receiver.url, NOTIFY_SECRET: secret } });
    await writeReaction(cluster.vaultDir);
    await cluster.services.connect(await cluster.signIn(cluster.servers[0]?.origin));
    // The servers read the new reaction when they see it; a minute later at the latest.
    let sent = 0;
    await until('the reaction is read', async () => {
      sent += 1;
      await send(cluster.baseUrl, sent);
      return takenIn(receiver.received).size > 0;
    });
    const before = takenIn(receiver.received).size;
    for (let more = 1; more <= 12; more += 1) await send(cluster.baseUrl, sent + more);
    const begun = performance.now();
    await until('each failure was posted', async () => takenIn(receiver.received).size >= before + 12);
    const posted = takenIn(receiver.received).size;
    const result = measured(receiver.received, posted, performance.now() - begun);
    const again = receiver.received.length - posted;
    return again === 0 ? result : { ...result, problems: [`${again} messages came a second time.`] };
  } finally {
    await receiver.close();
  }
}

async function writeReaction(vault: string): Promise<void> {
  await mkdir(join(vault, 'Reactions'), { recursive: true });
  await writeFile(join(vault, 'Reactions', 'log.md'), failing);
}

async function send(baseUrl: string, id: number): Promise<void> {
  const answer = await post(baseUrl, salesCrmDelivery(dealPayload({ id, title: `Deal ${id}` })));
  if (answer.status !== 200) throw new Error(`The delivery was answered ${answer.status}`);
}

const maxWaitMs = 180_000;

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > maxWaitMs) throw new Error(`It did not come to this: ${what}.`);
    await delay(200);
  }
}

/** The ids of the messages about each delivery that the receiver took. */
function takenIn(received: readonly ReceivedMessage[]): ReadonlyMap<number, ReadonlySet<string>> {
  const taken = new Map<number, Set<string>>();
  for (const { body, headers, mood } of received) {
    const { type, data } = bodySchema.parse(JSON.parse(body));
    if (type !== 'reaction.failed' || data.delivery === undefined || (mood !== 'takes' && mood !== 'floods')) continue;
    taken.set(data.delivery, (taken.get(data.delivery) ?? new Set()).add(headers['webhook-id'] ?? ''));
  }
  return taken;
}

function measured(received: readonly ReceivedMessage[], sent: number, recoveredAfterMs: number): Measured {
  const taken = takenIn(received);
  const doubled = [...taken.values()].filter((ids) => ids.size > 1).length;
  const load = `${sent} failing deliveries`;
  return { load, acknowledged: sent, lost: sent - taken.size, doubled, recoveredAfterMs, problems: [] };
}

const usersSchema = z.object({ data: z.array(z.object({ id: z.number() })) });
const invitedSchema = z.looseObject({
  type: z.string(),
  data: z.looseObject({ invited_user_id: z.number().optional() }),
});

function idsIn(listed: unknown): readonly number[] {
  return usersSchema.parse(listed).data.map(({ id }) => id);
}

/** The ids of the messages about each invited user. */
function invitedIn(received: readonly ReceivedMessage[]): ReadonlyMap<number, ReadonlySet<string>> {
  const posted = new Map<number, Set<string>>();
  for (const { body, headers } of received) {
    const { data } = invitedSchema.parse(JSON.parse(body));
    const { invited_user_id: id } = data;
    if (id !== undefined) posted.set(id, (posted.get(id) ?? new Set()).add(headers['webhook-id'] ?? ''));
  }
  return posted;
}
