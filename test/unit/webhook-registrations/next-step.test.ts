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

describe('what is not registered yet', () => {
  const entry = wanted(desired, at);

  it('is created', () => {
    for (const abilities of [channels, webhooks, blind]) {
      expect(stepOf({ entry, remote: [], abilities })).toEqual(create('new'));
      expect(stepOf({ entry, remote: null, abilities })).toEqual(create('new'));
    }
  });

  it('is never made beside one that does the same: that is renewed, else replaced, else taken over', () => {
    expect(stepOf({ entry, abilities: channels })).toEqual({ do: 'renew', reason: 'found', remoteId: '7' });
    expect(stepOf({ entry, abilities: webhooks })).toEqual(create('new', '7'));
    expect(stepOf({ entry, abilities: blind })).toMatchObject({ do: 'adopt', reason: 'found', remoteId: '7' });
  });

  it('leaves the webhooks of others alone', () => {
    const others = [
      { ...remote, url: 'https://elsewhere.example/' },
      { ...remote, events: ['Leads.all'] },
    ];
    expect(stepOf({ entry, remote: others })).toEqual(create('new'));
  });

  it('is what a webhook of other events at its address becomes, where that can be updated', () => {
    const part = [{ ...remote, events: ['Leads.all', 'Tasks.all'] }];
    expect(stepOf({ entry, remote: part, abilities: channels })).toMatchObject({ do: 'renew', reason: 'found' });
    const other = [{ ...remote, events: ['Tasks.all'] }];
    expect(stepOf({ entry, remote: other, abilities: channels })).toEqual(create('new'));
  });

  it('removes first what a try before could not remove', () => {
    expect(stepOf({ entry: { ...entry, remoteId: '5' }, remote: null })).toEqual(create('new', '5'));
  });
});

describe('what was being registered when the answer was lost', () => {
  const entry: WebhookRegistration = { ...wanted(desired, at), state: 'registering', remoteId: '7' };

  it('is taken over when the provider lists it', () => {
    expect(stepOf({ entry })).toMatchObject({ do: 'adopt', reason: 'answer_lost', remoteId: '7' });
  });

  it('is taken over by what it does where its id was the provider’s to choose', () => {
    const step = stepOf({ entry: { ...entry, remoteId: null }, abilities: blind });
    expect(step).toMatchObject({ do: 'adopt', reason: 'answer_lost', remoteId: '7' });
  });

  it('is created when the provider does not list it', () => {
    expect(stepOf({ entry, remote: [] })).toEqual(create('answer_lost'));
  });

  it('is made anew with the secret of now when that has changed since', () => {
    expect(stepOf({ entry: { ...entry, secretFingerprint: 'former' } })).toEqual(create('answer_lost', '7'));
  });

  it('without a list: is removed by the id that was chosen, and made again', () => {
    expect(stepOf({ entry, remote: null })).toEqual(create('answer_lost', '7'));
  });

  it('without a list and without an id: is not made again, and is in doubt', () => {
    expect(stepOf({ entry: { ...entry, remoteId: null }, remote: null, abilities: blind })).toEqual({ do: 'doubt' });
  });
});

describe('what is in doubt', () => {
  const entry: WebhookRegistration = { ...wanted(desired, at), state: 'uncertain' };
  const doubtful = { entry, remote: null, abilities: blind };

  it('stays so while nothing comes, or only what came before', () => {
    expect(stepOf(doubtful)).toEqual({ do: 'nothing' });
    expect(stepOf({ ...doubtful, lastDeliveryAt: at - 1 })).toEqual({ do: 'nothing' });
  });

  it('is there when deliveries come since then', () => {
    expect(stepOf({ ...doubtful, lastDeliveryAt: at + 1 })).toMatchObject({ do: 'adopt', reason: 'found' });
  });
});

describe('what was left at the provider', () => {
  const entry: WebhookRegistration = { ...line, state: 'left' };

  it('is taken over again where it cannot be removed', () => {
    expect(stepOf({ entry, remote: null, abilities: blind })).toMatchObject({ do: 'adopt', remoteId: '7' });
  });

  it('is not, for another account', () => {
    const elsewhere = { entry: { ...entry, account: 'acme' }, desired: { ...desired, account: 'other' } };
    expect(stepOf({ ...elsewhere, remote: null, abilities: blind })).toEqual(create('new'));
  });

  it('is replaced where it can be removed', () => {
    expect(stepOf({ entry, remote: null })).toEqual(create('new', '7'));
  });
});

describe('what is registered', () => {
  it('is left alone while all is well', () => {
    expect(stepOf({})).toEqual({ do: 'nothing' });
    expect(stepOf({ remote: null })).toEqual({ do: 'nothing' });
    expect(stepOf({ entry: ending, abilities: channels, now: at + 4 * day })).toEqual({ do: 'nothing' });
  });

  it('is renewed at 70 % of its life', () => {
    const now = at + 0.7 * 7 * day;
    for (const list of [[remote], null]) {
      const step = stepOf({ entry: ending, remote: list, abilities: channels, now });
      expect(step).toEqual({ do: 'renew', reason: 'ageing', remoteId: '7' });
    }
  });

  it('is renewed at 70 % of the life that the provider says it has', () => {
    const listed = [{ ...remote, expiresAt: at + day }];
    const step = stepOf({ entry: ending, remote: listed, abilities: channels, now: at + 17 * hour });
    expect(step).toMatchObject({ do: 'renew', reason: 'ageing' });
  });

  it('is created again when it is over', () => {
    const over = { entry: ending, abilities: channels, now: at + 7 * day };
    expect(stepOf({ ...over, remote: [] })).toEqual(create('expired'));
    expect(stepOf({ ...over, remote: null })).toEqual(create('expired'));
  });

  it('is renewed, not created, when it is over by our clock and not by the provider’s', () => {
    const listed = [{ ...remote, expiresAt: at + 7 * day }];
    const step = stepOf({ entry: ending, remote: listed, abilities: channels, now: at + 7 * day + 1 });
    expect(step).toMatchObject({ do: 'renew', reason: 'ageing' });
  });

  it('is created again when the provider does not list it any more', () => {
    expect(stepOf({ remote: [] })).toEqual(create('lost'));
  });

  it('is replaced when the sender has switched it off', () => {
    expect(stepOf({ remote: [{ ...remote, isEnabled: false }] })).toEqual(create('disabled', '7'));
  });

  it.each([
    ['address', { url: 'https://new.example/webhooks/suite_crm' }],
    ['secret', { secretFingerprint: 'another' }],
    ['events', { events: ['Leads.all'] }],
  ])('is changed, else replaced, when the %s is another', (_, change) => {
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

  it('is left alone when the provider spells its address in another way, or lists no events', () => {
    const spelled = 'HTTPS://Portolan.example:443/webhooks/suite_crm';
    expect(stepOf({ remote: [{ ...remote, url: spelled }] })).toEqual({ do: 'nothing' });
    expect(stepOf({ remote: [{ ...remote, events: null }] })).toEqual({ do: 'nothing' });
  });

  it('is created in the other account when the connection is one to another account', () => {
    const moved = { entry: { ...line, account: 'acme' }, desired: { ...desired, account: 'other' } };
    expect(stepOf({ ...moved, remote: null })).toEqual(create('account_changed'));
    expect(stepOf({ ...moved, desired: { ...desired, account: null } })).toEqual({ do: 'nothing' });
  });
});

describe('a look at the provider', () => {
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

describe('a second webhook that delivers the same', () => {
  it('is an orphan; those that are stored, and those of others, are not', () => {
    const second = { ...remote, remoteId: '8' };
    const webhooks = [remote, second, { ...second, remoteId: '9', url: 'https://elsewhere.example/' }];
    expect(orphans(webhooks, [desired], { entries: [line], abilities: channels })).toEqual([second]);
  });
});
