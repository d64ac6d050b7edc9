import { z } from 'zod';
import { allPages, mapped, parsed } from '#adapters/services/answers/read-answers.ts';
import { quoted } from '#adapters/services/tracker/jira/jql.ts';
import { teamsOf } from '#adapters/services/tracker/jira/records.ts';
import type { Send } from '#adapters/services/tracker/jira/requests.ts';
import { proofOf, proofParameter } from '#adapters/services/tracker/jira/webhook-source.ts';
import { parsedTime } from '#adapters/services/webhooks/webhook-time.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';

/** Jira's events for the tracker's resource types. */
const eventsOf: Readonly<Record<string, readonly string[]>> = {
  Issues: ['jira:issue_created', 'jira:issue_updated', 'jira:issue_deleted'],
  'Issue comments': ['comment_created', 'comment_updated', 'comment_deleted'],
};

const time = z
  .union([z.number(), z.string().transform(parsedTime)])
  .nullish()
  .catch(null);
const remote = z.looseObject({
  id: z.number(),
  url: z.string(),
  events: z.array(z.string()),
  jqlFilter: z.string().catch(''),
  expirationDate: time,
});

type Listed = Readonly<{
  id: string;
  url: string;
  enabled: boolean;
  resourceTypes: readonly string[];
  expiresAt: number | null;
}>;

/**
 * Webhooks as the tracker has them, without the proofs in their addresses. One that leaves out a project of today has
 * none of its resource types.
 */
export async function listWebhooks(send: Send): Promise<Outcome<readonly Listed[]>> {
  return mapped(await remoteWebhooks(send), (list) => list.map((one) => ({ ...one, url: withoutProof(one.url) })));
}

async function remoteWebhooks(send: Send): Promise<Outcome<readonly Listed[]>> {
  const filter = await filterFor(send);
  if (!filter.ok) return filter;
  const webhooks = await allPages((page) => send('webhooks', page), remote);
  const typesOf = (events: readonly string[]) =>
    Object.entries(eventsOf).filter(([, all]) => all.every((event) => events.includes(event)));
  return mapped(webhooks, (list) =>
    list.map(({ id, url, events, jqlFilter, expirationDate }) => ({
      id: String(id),
      url,
      enabled: true,
      resourceTypes: jqlFilter === filter.data ? typesOf(events).map(([type]) => type) : [],
      expiresAt: expirationDate ?? null,
    })),
  );
}

/** The filter for issues of all projects: Jira accepts few operators in it, and `IN` is one. */
async function filterFor(send: Send): Promise<Outcome<string>> {
  const teams = await teamsOf(send);
  if (!teams.ok) return teams;
  if (teams.data.length === 0)
    return failed('invalid_input', 'The tracker shows no project whose issues a webhook could be for.');
  return succeeded(
    `project IN (${teams.data
      .map(({ key }) => quoted(key))
      .toSorted()
      .join(', ')})`,
  );
}

const registered = z.looseObject({
  webhookRegistrationResult: z
    .array(z.looseObject({ createdWebhookId: z.number().optional(), errors: z.array(z.string()).optional() }))
    .min(1),
});
const refreshed = z.looseObject({ expirationDate: time });

/**
 * Registers a webhook. It is not signed: with a secret, a proof in its address stands for that. One of this address that
 * is there is renewed, or replaced where projects, events or proof differ.
 */
export async function registerWebhook(
  send: Send,
  {
    url: address,
    resourceTypes,
    secret,
  }: Readonly<{ url: string; resourceTypes: readonly string[]; secret?: string | undefined }>,
): Promise<Outcome<Listed>> {
  const proven = new URL(address);
  if (secret !== undefined) proven.searchParams.set(proofParameter, proofOf(secret));
  const url = proven.href;
  const unknown = resourceTypes.find((type) => own(eventsOf, type) === undefined);
  if (unknown !== undefined)
    return failed(
      'invalid_input',
      `Jira sends no webhooks for "${unknown}". It does for ${Object.keys(eventsOf).join(', ')}.`,
    );
  const there = await remoteWebhooks(send);
  if (!there.ok) return there;
  const ours = there.data.filter((one) => withoutProof(one.url) === withoutProof(url));
  const same = ours.find((one) => one.url === url && resourceTypes.every((type) => one.resourceTypes.includes(type)));
  const webhook = { url: address, enabled: true, resourceTypes };
  if (same !== undefined) {
    const renewed = parsed(await send('refreshWebhooks', { webhookIds: [Number(same.id)] }), refreshed);
    return mapped(renewed, ({ expirationDate }) => ({ ...webhook, id: same.id, expiresAt: expirationDate ?? null }));
  }
  const jqlFilter = await filterFor(send);
  if (!jqlFilter.ok) return jqlFilter;
  const events = resourceTypes.flatMap((type) => own(eventsOf, type) ?? []);
  // Jira allows one address per app: a webhook with another proof goes first, one with this address when its successor is there.
  const removal = async (isHere: boolean) => {
    const which = ours.filter((one) => (one.url === url) === isHere).map(({ id }) => Number(id));
    return which.length === 0 ? succeeded(null) : send('deleteWebhooks', { which: { webhookIds: which } });
  };
  const cleared = await removal(false);
  if (!cleared.ok) return cleared;
  const made = parsed(
    await send('createWebhooks', { url, webhooks: [{ events, jqlFilter: jqlFilter.data }] }),
    registered,
  );
  if (!made.ok) return made;
  const [{ createdWebhookId, errors = [] } = {}] = made.data.webhookRegistrationResult;
  if (createdWebhookId === undefined)
    return failed('rejected', `The tracker refused: ${errors.join(' ') || 'no reason is given.'}`, { sent: 'yes' });
  await removal(true);
  return succeeded({ ...webhook, id: String(createdWebhookId), expiresAt: null });
}

/** The address without the proof that its deliveries bring. */
function withoutProof(address: string): string {
  const url = URL.parse(address);
  url?.searchParams.delete(proofParameter);
  return url?.href ?? address;
}

/** How long a dynamic webhook lives without being renewed, in ms; an hour less, since clocks differ. */
export const lifeMs = 30 * 86_400_000 - 3_600_000;
