import type { Delivery } from '#domain/webhooks/delivery.ts';
import { sentTo } from '#test/support/webhooks/sent-to.ts';
import {
  dealPayload,
  documentPayload,
  salesCrmSecret,
  signingDelivery,
} from '#test/support/webhooks/webhook-senders.ts';
import { issueData, issuePayload, sign, trackerDelivery } from '#test/support/webhooks/webhook-tracker.ts';

/** A signed delivery that nobody would send. */
export type HostileDelivery = Readonly<{ name: string; delivery: Delivery }>;

const mebibyte = 1_048_576;

/** All of them, each with ids of its own per `round`. They are signed as their service signs. */
export function hostileDeliveries(round: number): readonly HostileDelivery[] {
  const id = (name: string) => `${name}-${round}`;
  const tracker = (
    name: string,
    data: Readonly<Record<string, unknown>>,
    more: Readonly<Record<string, unknown>> = {},
  ) => ({
    name: `tracker: ${name}`,
    delivery: trackerDelivery(issuePayload(Date.now(), { action: 'update', data: issueData(data), ...more }), {
      'tracker-delivery': id(name),
    }),
  });
  const deal = (name: string, text: string) => ({ name: `sales CRM: ${name}`, delivery: signedDeal(text) });
  const document = (name: string, data: Readonly<Record<string, unknown>>) => ({
    name: `signing: ${name}`,
    delivery: signingDelivery(documentPayload(Date.now(), 'document_state_changed', data)),
  });
  return [
    tracker('NUL in the id', { id: id('a\0b') }),
    tracker('NUL in the title', { id: id('nul-title'), title: 'a\0b', identifier: `N-${round}` }),
    tracker('a lone surrogate in the id', { id: id('\ud800') }),
    tracker('a lone surrogate in the title', { id: id('surrogate'), title: 'a\udfff', identifier: `S-${round}` }),
    tracker(
      'constructor as a changed field',
      { id: id('constructor'), identifier: `C-${round}` },
      { updatedFrom: { constructor: 'x' } },
    ),
    tracker(
      '__proto__ as a changed field',
      { id: id('proto'), identifier: `P-${round}` },
      { updatedFrom: JSON.parse('{"__proto__":{"a":1}}') },
    ),
    tracker('an action called constructor', { id: id('action') }, { action: 'constructor' }),
    tracker('a type called __proto__', { id: id('type') }, { type: '__proto__' }),
    tracker('a number that is too large', { id: id('number'), identifier: `X-${round}`, priority: 2 ** 60 }),
    tracker('an id that is an object', { id: { a: 1 } }),
    tracker('an empty id', { id: '' }),
    tracker('a very long id', { id: `${id('long')}${'x'.repeat(100_000)}` }),
    deal('NUL in the event', JSON.stringify({ ...dealPayload({ id: id('e') }), event: 'updated.deal\0' })),
    deal('NUL in the id', JSON.stringify(dealPayload({ id: `8\0${round}` }))),
    deal('100,000 deep', `{"round":${round},"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    deal('a key of 900 KB', JSON.stringify({ ...dealPayload({ id: id('key') }), ['k'.repeat(900_000)]: 1 })),
    deal(
      'numbers beyond 2^53',
      JSON.stringify(dealPayload({ id: `${9_007_199_254_740_993n + BigInt(round)}` })).replace(
        /"id":"(\d+)"/,
        '"id":$1',
      ),
    ),
    deal(
      'an infinite value',
      JSON.stringify(dealPayload({ id: id('inf'), value: 1 })).replace('"value":1', '"value":1e999'),
    ),
    deal('no JSON', `not JSON ${round}`),
    deal('null', 'null'),
    deal('an array', `[${round}]`),
    deal('too large', JSON.stringify({ a: 'x'.repeat(mebibyte), round })),
    document('NUL in the id', { id: `d\0${round}` }),
    document('a lone surrogate as name', { id: id('doc'), name: 'a\ud83d' }),
    document('a path as name', { id: id('path'), name: '../../../../etc/passwd' }),
    document('a name of dots', { id: id('dots'), name: '...' }),
  ];
}

/** As the sales CRM signs it, whatever the bytes are. */
function signedDeal(text: string): Delivery {
  const body = Buffer.from(text);
  return { ...sentTo('sales_crm'), headers: { 'x-salescrm-signature': sign(body, salesCrmSecret) }, query: {}, body };
}
