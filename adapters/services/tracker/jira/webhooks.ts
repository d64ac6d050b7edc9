import { z } from 'zod';
import { allPages, parsed } from '#adapters/services/read-answers.ts';
import { quoted } from '#adapters/services/tracker/jira/jql.ts';
import { mapped, teamsOf } from '#adapters/services/tracker/jira/records.ts';
import type { Send } from '#adapters/services/tracker/jira/requests.ts';
import { proofOf, proofParameter } from '#adapters/services/tracker/jira/webhook-source.ts';
import { desiredWebhooks } from '#adapters/services/tracker/neutral/webhook-registration.ts';
import type { RegistrarDependencies } from '#adapters/services/vendor.ts';
import { webhookCalls } from '#adapters/services/webhook-calls.ts';
import type { ProviderWebhooks, RegisteredWebhook, WebhookFailure } from '#application/ports/provider-webhooks.ts';
import { type Failure, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { DesiredWebhook } from '#domain/webhook-registrations/webhook-registration.ts';

/** Jira's events for the tracker's resource types. */
const eventsOf: Readonly<Record<string, readonly string[]>> = {
  Issues: ['jira:issue_created', 'jira:issue_updated', 'jira:issue_deleted'],
  'Issue comments': ['comment_created', 'comment_updated', 'comment_deleted'],
};

const time = z
  .union([z.number(), z.string().transform((text) => Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')))])
  .nullish()
  .catch(null);
const remote = z.looseObject({
  id: z.number(),
  url: z.string(),
  events: z.array(z.string()),
  jqlFilter: z.string().catch(''),
  expirationDate: time,
});

/** Webhooks as the tracker has them. One that leaves out a project of today has other resource types than it should. */
export async function listWebhooks(send: Send): Promise<Outcome<readonly Listed[]>> {
  const filter = await filterFor(send);
  if (!filter.ok) return filter;
  const webhooks = await allPages((page) => send('webhooks', page), remote);
  return mapped(webhooks, (list) =>
    list.map(({ id, url, events, jqlFilter, expirationDate }) => ({
      id: String(id),
      url,
      enabled: true,
      resourceTypes:
        jqlFilter === filter.data
          ? Object.keys(eventsOf).filter((type) => own(eventsOf, type)?.every((event) => events.includes(event)))
          : [],
      expiresAt: expirationDate ?? null,
    })),
  );
}

type Listed = Readonly<{
  id: string;
  url: string;
  enabled: boolean;
  resourceTypes: readonly string[];
  expiresAt: number | null;
}>;

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

/** Registers a webhook. One of this address that is there is renewed, or replaced where projects or events differ. */
export async function registerWebhook(
  send: Send,
  { url, resourceTypes }: Readonly<{ url: string; resourceTypes: readonly string[] }>,
): Promise<Outcome<Listed>> {
  const unknown = resourceTypes.find((type) => own(eventsOf, type) === undefined);
  if (unknown !== undefined)
    return failed(
      'invalid_input',
      `Jira sends no webhooks for "${unknown}". It does for ${Object.keys(eventsOf).join(', ')}.`,
    );
  const there = await listWebhooks(send);
  if (!there.ok) return there;
  const ours = there.data.filter((one) => withoutProof(one.url) === withoutProof(url));
  const same = ours.find((one) => one.url === url && resourceTypes.every((type) => one.resourceTypes.includes(type)));
  const webhook = { url, enabled: true, resourceTypes };
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
const lifeMs = 30 * 86_400_000 - 3_600_000;

const listed = z.array(
  z.looseObject({
    id: z.string(),
    url: z.string(),
    resourceTypes: z.array(z.string()),
    expiresAt: z.number().nullable(),
  }),
);
const made = z.looseObject({ id: z.string(), expiresAt: z.number().nullable() });
const unreadable = failed('unavailable', 'The tracker answered with something that is not a webhook.');

/** Registers Jira's dynamic webhooks. They are not signed, so that a proof in their address stands for the secret. */
export function jiraWebhooks({ caller, secrets, secretId, now }: RegistrarDependencies): ProviderWebhooks {
  const call = webhookCalls(caller, 'tracker');
  const proven = (address: string): string => {
    const url = new URL(address);
    url.searchParams.set(proofParameter, proofOf(secrets[0] ?? ''));
    return url.href;
  };
  async function register({ userId, url, events }: DesiredWebhook): Promise<Result<RegisteredWebhook, WebhookFailure>> {
    const outcome = await call(userId, 'webhooks.create', { url: proven(url), resourceTypes: events });
    if (!outcome.ok) return err({ failure: outcome, mayBeDone: outcome.reason === 'unavailable' });
    const { data } = made.safeParse(outcome.data);
    if (data === undefined) return err({ failure: unreadable, mayBeDone: true });
    return ok({
      remoteId: data.id,
      expiresAt: Math.min(data.expiresAt ?? Number.POSITIVE_INFINITY, now() + lifeMs),
      warning: null,
    });
  }
  return {
    service: 'tracker',
    desired: desiredWebhooks,
    abilities: { renews: true, removes: true },
    secretVariable: 'TRACKER_WEBHOOK_SECRET',
    hasSecret: secrets.length > 0,
    secretFingerprint: secretId,
    newId: () => null,
    async list(userId) {
      const outcome = await call(userId, 'webhooks.list', {});
      if (!outcome.ok) return err(outcome);
      const { data } = listed.safeParse(outcome.data);
      if (data === undefined) return err(unreadable);
      // An address with another proof is that of another secret, and not ours.
      const bare = (address: string) => (proven(withoutProof(address)) === address ? withoutProof(address) : address);
      return ok(
        data.map(({ id, url, resourceTypes, expiresAt }) => ({
          remoteId: id,
          url: bare(url),
          events: resourceTypes,
          expiresAt,
          isEnabled: true,
        })),
      );
    },
    create: register,
    async renew(desired) {
      const again = await register(desired);
      return again.ok ? again : err(again.failure.failure);
    },
    async remove(userId, remoteId, signal): Promise<Result<void, Failure>> {
      const outcome = await call(userId, 'webhooks.delete', { id: remoteId }, signal);
      return outcome.ok || outcome.reason === 'not_found' ? ok(undefined) : err(outcome);
    },
  };
}
