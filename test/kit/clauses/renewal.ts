import { equal, eventually, holds, listAt, matches, member, status } from '#test/kit/checks.ts';
import { type Clause, contract, inMode, portolan } from '#test/kit/clause.ts';
import { connectByOAuth } from '#test/kit/connections.ts';
import type { Received } from '#test/kit/emulators/emulator.ts';
import { type CloudKey, cloudKeys } from '#test/kit/emulators/emulators.ts';
import type { Kit } from '#test/kit/kit.ts';
import { needsOf } from '#test/kit/services.ts';

const hourS = 3600;
const dayMs = 86_400_000;
/** How long to wait for a job, which may look once a minute. */
const jobMs = 130_000;
/** How far the target's clock may have been ahead when it registered its channel: `foundBy` puts it forward. */
const aheadMs = 12 * 60_000;

const isRenewal = ({ path, text }: Received): boolean =>
  path === '/oauth/token' && new URLSearchParams(text).get('grant_type') === 'refresh_token';
const isChannel = ({ method, path }: Received): boolean => method !== 'GET' && path.endsWith('/actions/watch');

/** Whether an address is that of the target's own receiver, and not one that another check had registered. */
const isReceiver = (service: CloudKey, url: unknown): boolean => String(url).endsWith(`/webhooks/${service}`);

/** The renewals of each service since it was called. */
function renewalsFrom(kit: Kit): (service: CloudKey) => number {
  const before = new Map(cloudKeys.map((service) => [service, kit.emulator(service).received.length]));
  return (service) => kit.emulator(service).received.slice(before.get(service)).filter(isRenewal).length;
}

/** Connects the services now, and waits, so many seconds later, for the renewals of some; what had been renewed then. */
async function renewedAfter(kit: Kit, seconds: number, expected: readonly CloudKey[]) {
  for (const service of cloudKeys) equal(await connectByOAuth(kit, service), null, 'a fault in connecting:');
  const count = renewalsFrom(kit);
  await kit.later(seconds, () =>
    eventually(
      `renewals of ${expected.join(' and ')} without any call`,
      () => (expected.every((service) => count(service) > 0) ? true : null),
      jobMs,
    ),
  );
  return count;
}

/** When the channels of a request end, in Unix ms. */
function endsOf({ json }: Received): readonly number[] {
  return listAt(json, 'watch').map((channel) => Date.parse(String(member(channel, 'channel_expiry'))));
}

/** Waits for what a job does that looks each minute: the clock goes forward, so that it need not be waited for. */
async function foundBy(kit: Kit, what: string, ask: () => Received | undefined): Promise<Received> {
  for (let minutes = 2; minutes < 12 && ask() === undefined; minutes += 2)
    await kit.later(minutes * 60, () => new Promise((resolve) => setTimeout(resolve, 1000)));
  return eventually(what, ask, jobMs);
}

const needs = [...needsOf('sales_crm'), 'service:signing', 'service:suite_crm', 'service:tracker', 'clock'] as const;

/** Clauses on what happens before tokens and channels expire, without any call. */
export const renewal: readonly Clause[] = [
  contract(
    'RENEW-001/hour',
    'after 55 minutes the tokens of the sales CRM and the suite CRM are renewed, and no others',
    async (kit) => {
      const count = await renewedAfter(kit, 55 * 60, ['sales_crm', 'suite_crm']);
      equal([count('tracker'), count('signing')], [0, 0], 'the renewals of tracker and signing service');
    },
    needs,
  ),
  portolan(
    'RENEW-001/long',
    'that is so even if a token would live longer',
    async (kit) => {
      const { sales_crm: sales, suite_crm: suite } = kit.emulators.cloud;
      for (const { oauth } of [sales, suite]) oauth.expiresInS = 3 * hourS;
      try {
        await renewedAfter(kit, 55 * 60, ['sales_crm', 'suite_crm']);
      } finally {
        for (const { oauth } of [sales, suite]) oauth.expiresInS = hourS;
        for (const service of ['sales_crm', 'suite_crm'] as const) await connectByOAuth(kit, service);
      }
    },
    needs,
  ),
  contract(
    'RENEW-001/day',
    'after 22½ hours the token of the tracker is renewed',
    async (kit) => {
      await renewedAfter(kit, 22.5 * hourS, ['tracker']);
    },
    needs,
  ),
  contract(
    'RENEW-007',
    'the token of the signing service is not renewed by the clock, only after a 401',
    async (kit) => {
      const count = await renewedAfter(kit, 29 * 24 * hourS, ['sales_crm']);
      equal(count('signing'), 0, 'the renewals by the clock');
      kit.emulators.cloud.signing.oauth.expire();
      status(await kit.api('GET', '/api/signing/templates/tpl1'), 200);
      equal(count('signing'), 1, 'the renewals after a 401');
    },
    needs,
  ),
  inMode(
    { webhooks: 'on' },
    portolan(
      'WREG-001/sales_crm',
      'webhooks of the sales CRM are registered for the events that have an effect, and no others',
      async (kit) => {
        const { received } = kit.emulator('sales_crm');
        const isWebhook = ({ method, path }: Received): boolean => method === 'POST' && path === '/v1/webhooks';
        for (const event_object of ['deal', 'person', 'organization']) {
          const isFor = (request: Received): boolean =>
            isWebhook(request) &&
            member(request.json, 'event_object') === event_object &&
            isReceiver('sales_crm', member(request.json, 'subscription_url'));
          const { json } = await foundBy(kit, `a webhook for ${event_object}`, () => received.find(isFor));
          equal(member(json, 'event_action'), 'updated', 'event_action');
        }
      },
      [...needsOf('sales_crm'), 'secret:sales_crm', 'clock'],
    ),
  ),
  inMode(
    { webhooks: 'on' },
    portolan(
      'WREG-001/tracker',
      'the webhook of the tracker is for all public teams, and signed with the secret of the receiver',
      async (kit) => {
        const { received } = kit.emulator('tracker');
        const { json } = await foundBy(kit, 'a webhook', () =>
          received.find(
            ({ text, json: asked }) =>
              text.includes('webhookCreate') && isReceiver('tracker', member(asked, 'variables', 'url')),
          ),
        );
        equal(member(json, 'variables', 'allPublicTeams'), true, 'allPublicTeams');
        matches(String(member(json, 'variables', 'resourceTypes')), /^Issues?$/, 'resourceTypes');
      },
      [...needsOf('tracker'), 'secret:tracker', 'clock'],
    ),
  ),
  inMode(
    { webhooks: 'on' },
    contract(
      'WREG-003',
      'a channel of the suite CRM is registered for at most seven days, and renewed before they are over',
      async (kit) => {
        const { received } = kit.emulator('suite_crm');
        const first = await foundBy(kit, 'a channel', () => received.find(isChannel));
        for (const channel of listAt(first.json, 'watch')) {
          for (const name of ['channel_id', 'notify_url', 'channel_expiry'])
            holds((member(channel, name) ?? '') !== '', `a channel with ${name}`, first.text);
          if (kit.config.secrets.suite_crm !== undefined)
            equal(member(channel, 'token'), kit.config.secrets.suite_crm, 'token');
          holds(listAt(channel, 'events').length > 0, 'a channel with events', first.text);
        }
        const firstEnd = Math.min(...endsOf(first));
        holds(firstEnd > Date.now() && Number.isFinite(firstEnd), 'a channel with an end', first.text);
        // Another check may have put the clock forward by weeks while it was registered: from its renewal on, the time is known.
        if (firstEnd < Date.now() + 20 * dayMs)
          holds(
            Math.max(...endsOf(first)) <= Date.now() + 7 * dayMs + aheadMs,
            'an end in at most seven days',
            first.text,
          );
        const before = received.length;
        const renewedAt = firstEnd - 0.1 * dayMs;
        const again = await kit.later((renewedAt - Date.now()) / 1000, () =>
          eventually('a renewal 2.4 hours before the end', () => received.slice(before).find(isChannel), jobMs),
        );
        holds(Math.min(...endsOf(again)) > firstEnd, 'a later end', again.text);
        holds(
          Math.max(...endsOf(again)) <= renewedAt + 7 * dayMs + aheadMs,
          'an end after at most seven days',
          again.text,
        );
      },
      [...needsOf('suite_crm'), 'clock'],
    ),
  ),
];
