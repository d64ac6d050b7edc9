import { describe, expect, it } from 'vitest';
import { isCheckDue, nextStep, orphans, type Situation } from '#domain/webhook-registrations/next-step.ts';
import {
  type DesiredWebhook,
  type RemoteWebhook,
  type WebhookRegistration,
  wanted,
} from '#domain/webhook-registrations/webhook-registration.ts';

const hour = 3_600_000;
const day = 24 * hour;
const at = 1_769_172_700_000;

const desired: DesiredWebhook = {
  userId: 1,
  service: 'suite_crm',
  name: 'records',
  events: ['Leads.all', 'Deals.all'],
  url: 'https://portolan.example/webhooks/suite_crm',
  secretFingerprint: 'mark',
  account: null,
};
const line: WebhookRegistration = {
  ...wanted(desired, at),
  state: 'active',
  remoteId: '7',
  registeredAt: at,
  checkedAt: at,
  version: 3,
};
const ending: WebhookRegistration = { ...line, expiresAt: at + 7 * day };
const remote: RemoteWebhook = {
  remoteId: '7',
  url: desired.url,
  events: desired.events,
  expiresAt: null,
  isEnabled: true,
};

const channels = { renews: true, removes: true };
const webhooks = { renews: false, removes: true };
const blind = { renews: false, removes: false };

const stepOf = (situation: Partial<Situation>) =>
  nextStep({
    desired,
    entry: line,
    remote: [remote],
    abilities: webhooks,
    lastDeliveryAt: null,
    now: at,
    ...situation,
  });
const create = (reason: string, replaces: string | null = null) => ({ do: 'create', reason, replaces });

describe('an unregistered webhook', () => {
  const entry = wanted(desired, at);

  it('is created', () => {
    for (const abilities of [channels, webhooks, blind]) {
      expect(stepOf({ entry, remote: [], abilities })).toEqual(create('new'));
      expect(stepOf({ entry, remote: null, abilities })).toEqual(create('new'));
    }
  });

  it('is never created next to an equivalent one, which is renewed, else replaced, else adopted', () => {
    expect(stepOf({ entry, abilities: channels })).toEqual({ do: 'renew', reason: 'found', remoteId: '7' });
    expect(stepOf({ entry, abilities: webhooks })).toEqual(create('new', '7'));
    expect(stepOf({ entry, abilities: blind })).toMatchObject({ do: 'adopt', reason: 'found', remoteId: '7' });
  });

  it('is created without touching the webhooks of others', () => {
    const others = [
      { ...remote, url: 'https://elsewhere.example/' },
      { ...remote, events: ['Leads.all'] },
    ];
    expect(stepOf({ entry, remote: others })).toEqual(create('new'));
  });

  it('is made from a webhook of other events at its address, if that can be updated', () => {
    const part = [{ ...remote, events: ['Leads.all', 'Tasks.all'] }];
    expect(stepOf({ entry, remote: part, abilities: channels })).toMatchObject({ do: 'renew', reason: 'found' });
    const other = [{ ...remote, events: ['Tasks.all'] }];
    expect(stepOf({ entry, remote: other, abilities: channels })).toEqual(create('new'));
  });

  it('is created after removing what an earlier attempt could not remove', () => {
    expect(stepOf({ entry: { ...entry, remoteId: '5' }, remote: null })).toEqual(create('new', '5'));
  });
});

describe('a webhook whose registration lost its answer', () => {
  const entry: WebhookRegistration = { ...wanted(desired, at), state: 'registering', remoteId: '7' };

  it('is adopted if the provider lists it', () => {
    expect(stepOf({ entry })).toMatchObject({ do: 'adopt', reason: 'answer_lost', remoteId: '7' });
  });

  it('is adopted by its properties if its id was chosen by the provider', () => {
    const step = stepOf({ entry: { ...entry, remoteId: null }, abilities: blind });
    expect(step).toMatchObject({ do: 'adopt', reason: 'answer_lost', remoteId: '7' });
  });

  it('is created if the provider does not list it', () => {
    expect(stepOf({ entry, remote: [] })).toEqual(create('answer_lost'));
  });

  it('is created again with the current secret if that has changed since', () => {
    expect(stepOf({ entry: { ...entry, secretFingerprint: 'former' } })).toEqual(create('answer_lost', '7'));
  });

  it('is removed by the chosen id and created again if the provider has no list', () => {
    expect(stepOf({ entry, remote: null })).toEqual(create('answer_lost', '7'));
  });

  it('is not created again, and in doubt, without a list and without an id', () => {
    expect(stepOf({ entry: { ...entry, remoteId: null }, remote: null, abilities: blind })).toEqual({ do: 'doubt' });
  });
});

describe('a webhook in doubt', () => {
  const entry: WebhookRegistration = { ...wanted(desired, at), state: 'uncertain' };
  const doubtful = { entry, remote: null, abilities: blind };

  it('stays so while no delivery arrives, or only older ones', () => {
    expect(stepOf(doubtful)).toEqual({ do: 'nothing' });
    expect(stepOf({ ...doubtful, lastDeliveryAt: at - 1 })).toEqual({ do: 'nothing' });
  });

  it('is registered once a later delivery arrives', () => {
    expect(stepOf({ ...doubtful, lastDeliveryAt: at + 1 })).toMatchObject({ do: 'adopt', reason: 'found' });
  });
});

describe('a webhook left at the provider', () => {
  const entry: WebhookRegistration = { ...line, state: 'left' };

  it('is adopted again if it cannot be removed', () => {
    expect(stepOf({ entry, remote: null, abilities: blind })).toMatchObject({ do: 'adopt', remoteId: '7' });
  });

  it('is not adopted for another account', () => {
    const elsewhere = { entry: { ...entry, account: 'acme' }, desired: { ...desired, account: 'other' } };
    expect(stepOf({ ...elsewhere, remote: null, abilities: blind })).toEqual(create('new'));
  });

  it('is replaced if it can be removed', () => {
    expect(stepOf({ entry, remote: null })).toEqual(create('new', '7'));
  });
});

describe('a registered webhook', () => {
  it('is left alone while nothing is wrong', () => {
    expect(stepOf({})).toEqual({ do: 'nothing' });
    expect(stepOf({ remote: null })).toEqual({ do: 'nothing' });
    expect(stepOf({ entry: ending, abilities: channels, now: at + 4 * day })).toEqual({ do: 'nothing' });
  });

  it('is renewed at 70 % of its lifetime', () => {
    const now = at + 0.7 * 7 * day;
    for (const list of [[remote], null]) {
      const step = stepOf({ entry: ending, remote: list, abilities: channels, now });
      expect(step).toEqual({ do: 'renew', reason: 'ageing', remoteId: '7' });
    }
  });

  it('is renewed at 70 % of the lifetime that the provider reports', () => {
    const listed = [{ ...remote, expiresAt: at + day }];
    const step = stepOf({ entry: ending, remote: listed, abilities: channels, now: at + 17 * hour });
    expect(step).toMatchObject({ do: 'renew', reason: 'ageing' });
  });

  it('is created again when it has expired', () => {
    const over = { entry: ending, abilities: channels, now: at + 7 * day };
    expect(stepOf({ ...over, remote: [] })).toEqual(create('expired'));
    expect(stepOf({ ...over, remote: null })).toEqual(create('expired'));
  });

  it('is renewed, not created, when it has expired by this clock and not by the provider’s', () => {
    const listed = [{ ...remote, expiresAt: at + 7 * day }];
    const step = stepOf({ entry: ending, remote: listed, abilities: channels, now: at + 7 * day + 1 });
    expect(step).toMatchObject({ do: 'renew', reason: 'ageing' });
  });

  it('is created again when the provider no longer lists it', () => {
    expect(stepOf({ remote: [] })).toEqual(create('lost'));
  });

  it('is enabled again, else replaced, when the sender has disabled it', () => {
    const disabled = { remote: [{ ...remote, isEnabled: false }] };
    expect(stepOf({ ...disabled, abilities: channels })).toEqual({ do: 'renew', reason: 'disabled', remoteId: '7' });
    expect(stepOf(disabled)).toEqual(create('disabled', '7'));
  });

  it.each([
    ['address', { url: 'https://new.example/webhooks/suite_crm' }],
    ['secret', { secretFingerprint: 'another' }],
    ['events', { events: ['Leads.all'] }],
  ])('is changed, else replaced, when the %s differs', (_, change) => {
    const changed = { desired: { ...desired, ...change } };
    expect(stepOf({ ...changed, abilities: channels })).toEqual({ do: 'renew', reason: 'changed', remoteId: '7' });
    expect(stepOf(changed)).toEqual(create('changed', '7'));
    expect(stepOf({ ...changed, remote: null, abilities: blind })).toEqual(create('changed'));
  });

  it.each([
    ['address', { url: 'https://elsewhere.example/hooks' }],
    ['events', { events: ['Leads.all', 'Deals.all', 'Contacts.all'] }],
    ['events, to fewer', { events: ['Leads.all'] }],
  ])('is changed back, else replaced, when the %s was changed at the provider (WREG-006)', (_, change) => {
    const listed = [{ ...remote, ...change }];
    expect(stepOf({ remote: listed, abilities: channels })).toEqual({ do: 'renew', reason: 'changed', remoteId: '7' });
    expect(stepOf({ remote: listed })).toEqual(create('changed', '7'));
    expect(stepOf({ remote: listed, abilities: blind })).toEqual(create('changed'));
  });

  it('is left alone when the provider spells its address differently, or lists no events', () => {
    const spelled = 'HTTPS://Portolan.example:443/webhooks/suite_crm';
    expect(stepOf({ remote: [{ ...remote, url: spelled }] })).toEqual({ do: 'nothing' });
    expect(stepOf({ remote: [{ ...remote, events: null }] })).toEqual({ do: 'nothing' });
  });

  it('is created in the other account when the connection changed accounts', () => {
    const moved = { entry: { ...line, account: 'acme' }, desired: { ...desired, account: 'other' } };
    expect(stepOf({ ...moved, remote: null })).toEqual(create('account_changed'));
    expect(stepOf({ ...moved, desired: { ...desired, account: null } })).toEqual({ do: 'nothing' });
  });
});

describe('a check at the provider', () => {
  it.each<[string, WebhookRegistration, number, boolean]>([
    ['is due for what is not registered', wanted(desired, at), at, true],
    ['is not, while it waits after a failure', { ...wanted(desired, at), retryAt: at + 1 }, at, false],
    ['is due again after the wait', { ...wanted(desired, at), retryAt: at + 1 }, at + 1, true],
    ['is not due right after the last', line, at + hour - 1, false],
    ['is due an hour after the last', line, at + hour, true],
    ['is due when the clock was set back', line, at - 1, true],
    ['is due at 70 % of its life', { ...ending, checkedAt: at + 4.9 * day }, at + 4.9 * day + 1, true],
    ['is not due before', { ...ending, checkedAt: at + 4.8 * day }, at + 4.8 * day + 1, false],
    ['is due when the secret is another', { ...line, secretFingerprint: 'former' }, at, true],
  ])('%s', (_, entry, now, isDue) => {
    expect(isCheckDue(entry, desired, now)).toBe(isDue);
  });
});

describe('a duplicate webhook', () => {
  it('is an orphan; the stored ones, and those of others, are not', () => {
    const second = { ...remote, remoteId: '8' };
    const webhooks = [remote, second, { ...second, remoteId: '9', url: 'https://elsewhere.example/' }];
    expect(orphans(webhooks, [desired], { entries: [line], abilities: channels })).toEqual([second]);
  });
});
