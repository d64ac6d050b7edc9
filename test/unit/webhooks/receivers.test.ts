import { describe, expect, it } from 'vitest';
import { suiteCrmWebhookSource } from '#adapters/services/suite-crm/neutral/webhook-source.ts';
import type { Delivery } from '#domain/webhooks/delivery.ts';
import { salesCrmWebhookSource, signingWebhookSource, trackerWebhookSource } from '#test/support/services/vendors.ts';
import { sentTo } from '#test/support/webhooks/sent-to.ts';
import {
  dealPayload,
  documentPayload,
  salesCrmDelivery,
  salesCrmSecret,
  signInBase64,
  signingDelivery,
  signingKey,
  suiteCrmDelivery,
  suiteCrmToken,
} from '#test/support/webhooks/webhook-senders.ts';
import { sign } from '#test/support/webhooks/webhook-tracker.ts';

const now = Date.UTC(2026, 0, 14, 18, 20);

const withBody = (delivery: Delivery, body: string | Uint8Array): Delivery => ({
  ...delivery,
  body: typeof body === 'string' ? Buffer.from(body) : body,
});

describe('a receiver without a secret', () => {
  it.each([
    salesCrmWebhookSource({ secrets: [], dialect: 'neutral' }),
    salesCrmWebhookSource({ secrets: [], dialect: 'pipedrive' }),
    signingWebhookSource({ secrets: [], dialect: 'neutral' }),
    suiteCrmWebhookSource({ secrets: [] }),
    trackerWebhookSource({ secrets: [], dialect: 'neutral' }),
  ])('refuses every delivery: $service (HOOK-003)', (source) => {
    const delivery = { ...sentTo(source.service), headers: {}, query: {}, body: Buffer.from('{}') };
    expect(source.verify(delivery, now)).toMatchObject({ ok: false, failure: { reason: 'no_secret' } });
  });
});

describe('the sales CRM’s signature: HMAC-SHA256 of the raw body in X-SalesCrm-Signature (HOOK-004)', () => {
  const source = salesCrmWebhookSource({ secrets: ['the next secret', salesCrmSecret], dialect: 'neutral' });
  const delivery = salesCrmDelivery(dealPayload());
  const signed = (header: string | readonly string[] | undefined) =>
    source.verify({ ...delivery, headers: { 'x-salescrm-signature': header } }, now);

  it('is accepted in hexadecimal and in base64, and reports which secret matched', () => {
    expect(source.verify(delivery, now)).toMatchObject({ ok: true, value: { secret: 1 } });
    expect(signed(signInBase64(delivery.body))).toMatchObject({ ok: true, value: { secret: 1 } });
    expect(signed(sign(delivery.body, 'the next secret'))).toMatchObject({ ok: true, value: { secret: 0 } });
  });

  const hex = sign(delivery.body, salesCrmSecret);
  it.each([
    ['missing', undefined, 'unsigned'],
    ['empty', '', 'unsigned'],
    ['sent twice', [hex, hex], 'unsigned'],
    ['short', hex.slice(1), 'unsigned'],
    ['short in base64', signInBase64(delivery.body).slice(4), 'unsigned'],
    ['of another secret', sign(delivery.body, 'guess'), 'bad_signature'],
    ['of another secret in base64', signInBase64(delivery.body, 'guess'), 'bad_signature'],
  ])('is refused when it is %s', (_, header, reason) => {
    expect(signed(header)).toMatchObject({ ok: false, failure: { reason } });
  });

  it('covers the bytes as received (HOOK-002)', () => {
    const spaced = Buffer.from(`${JSON.stringify(dealPayload(), null, 2)}\n`);
    const headers = { 'x-salescrm-signature': sign(spaced, salesCrmSecret) };
    expect(source.verify({ ...delivery, headers, body: spaced }, now).ok).toBe(true);
    expect(source.verify(withBody(delivery, spaced), now)).toMatchObject({ failure: { reason: 'bad_signature' } });
  });

  it('is distinguished from a forgery if the body is not JSON in UTF-8', () => {
    const bytes = Buffer.from([0x22, 0xff, 0x22]);
    const headers = { 'x-salescrm-signature': sign(bytes, salesCrmSecret) };
    expect(source.verify({ ...delivery, headers, body: bytes }, now)).toMatchObject({
      failure: { reason: 'not_json' },
    });
  });
});

describe('the sales CRM’s provider signs nothing and sends user and password (HOOK-016)', () => {
  const source = salesCrmWebhookSource({ secrets: ['hook:one', 'hook:tw:o é'], dialect: 'pipedrive' });
  const delivery = salesCrmDelivery(dealPayload());
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const sent = (authorization: string | undefined) => source.verify({ ...delivery, headers: { authorization } }, now);

  it('accepts each of the configured pairs', () => {
    expect(sent(basic('hook:one'))).toMatchObject({ ok: true, value: { secret: 0 } });
    expect(sent(basic('hook:tw:o é'))).toMatchObject({ ok: true, value: { secret: 1 } });
  });

  it.each([
    [undefined, 'unsigned'],
    ['Bearer hook:one', 'unsigned'],
    ['Basic', 'unsigned'],
    ['Basic !!', 'unsigned'],
    [basic('hook:two'), 'bad_signature'],
    [basic('hook'), 'bad_signature'],
    [basic(''), 'unsigned'],
  ])('refuses %s', (authorization, reason) => {
    expect(sent(authorization)).toMatchObject({ ok: false, failure: { reason } });
  });

  it('does not accept a signature instead', () => {
    expect(source.verify(delivery, now)).toMatchObject({ failure: { reason: 'unsigned' } });
  });
});

describe('the signing service’s signature: hexadecimal in X-Signing-Signature, date_created within 5 minutes (HOOK-005)', () => {
  const source = signingWebhookSource({ secrets: ['the next key', signingKey], dialect: 'neutral' });
  const madeAt = (at: number) => source.verify(signingDelivery(documentPayload(at, 'document_updated')), now);
  const minutes = 60_000;

  it('accepts an event that is 5 minutes old, and one that is 5 minutes ahead', () => {
    expect(madeAt(now - 5 * minutes)).toMatchObject({ ok: true, value: { secret: 1 } });
    expect(madeAt(now + 5 * minutes).ok).toBe(true);
  });

  it('refuses an older event, or one further ahead, as stale, and reports how old it is', () => {
    expect(madeAt(now - 5 * minutes - 1)).toMatchObject({
      ok: false,
      failure: { reason: 'stale', ageMs: 300_001, secret: 1 },
    });
    expect(madeAt(now + 5 * minutes + 1)).toMatchObject({ ok: false, failure: { reason: 'stale', ageMs: -300_001 } });
  });

  it('reads the date in the document if the event has none, and refuses an event without any', () => {
    const inside = { event: 'document_updated', data: { id: 'a', date_created: new Date(now).toISOString() } };
    expect(source.verify(signingDelivery(inside), now).ok).toBe(true);
    const without = { event: 'document_updated', data: { id: 'a' } };
    expect(source.verify(signingDelivery(without), now)).toMatchObject({ failure: { reason: 'stale', ageMs: null } });
  });

  it('reads the date from each event of an array', () => {
    const fresh = documentPayload(now, 'document_updated');
    const old = documentPayload(now - 6 * minutes, 'document_updated');
    expect(source.verify(signingDelivery([fresh, fresh]), now).ok).toBe(true);
    expect(source.verify(signingDelivery([fresh, old]), now)).toMatchObject({ failure: { reason: 'stale' } });
    expect(source.verify(signingDelivery([]), now)).toMatchObject({ failure: { reason: 'stale' } });
  });

  it.each([
    ['a forged signature', { 'x-signing-signature': sign('x', signingKey) }, 'bad_signature'],
    ['a signature in base64', { 'x-signing-signature': signInBase64('x', signingKey) }, 'unsigned'],
    ['no signature', { 'x-signing-signature': undefined }, 'unsigned'],
  ])('refuses %s', (_, headers, reason) => {
    const delivery = signingDelivery(documentPayload(now, 'document_updated'), headers);
    expect(source.verify(delivery, now)).toMatchObject({ ok: false, failure: { reason } });
  });
});

describe('the signing service’s provider puts the signature into the address (HOOK-017)', () => {
  const source = signingWebhookSource({ secrets: [signingKey], dialect: 'pandadoc' });
  const body = Buffer.from(JSON.stringify([documentPayload(now - 86_400_000, 'document_updated')]));
  const headers = { 'x-pandadoc-webhook-event-id': '0f3c' };
  const sent = (signature: string | readonly string[] | undefined) =>
    source.verify({ ...sentTo('signing'), headers, query: { signature }, body }, now);

  it('accepts it there, whatever the age of the document, and identifies the delivery by its event id', () => {
    expect(sent(sign(body, signingKey))).toMatchObject({
      ok: true,
      value: { deliveryId: expect.stringMatching(/^0f3c\.[0-9a-f]{32}$/) },
    });
  });

  it('refuses a missing, a repeated and a forged one', () => {
    expect(sent(undefined)).toMatchObject({ failure: { reason: 'unsigned' } });
    expect(sent([sign(body, signingKey), sign(body, signingKey)])).toMatchObject({ failure: { reason: 'unsigned' } });
    expect(sent(sign(body, 'guess'))).toMatchObject({ failure: { reason: 'bad_signature' } });
  });
});

describe('the suite CRM echoes the token in the body (HOOK-006)', () => {
  const source = suiteCrmWebhookSource({ secrets: ['another-token', suiteCrmToken] });
  const notification = { module: 'Deals', operation: 'update', ids: ['1', '2'] };

  it('and is accepted with any of the tokens (HOOK-008)', () => {
    expect(source.verify(suiteCrmDelivery(notification), now)).toMatchObject({ ok: true, value: { secret: 1 } });
  });

  it.each([
    [{ token: 'guess' }, 'bad_signature'],
    [{ token: `${suiteCrmToken}x` }, 'bad_signature'],
    [{ token: '' }, 'unsigned'],
    [{ token: 7 }, 'unsigned'],
    [{ token: undefined }, 'unsigned'],
  ])('and is refused with %o', (more, reason) => {
    expect(source.verify(suiteCrmDelivery({ ...notification, ...more }), now)).toMatchObject({ failure: { reason } });
  });

  it('and is refused if it is not JSON, because then there is no token', () => {
    const delivery = suiteCrmDelivery(notification);
    expect(source.verify(withBody(delivery, `token=${suiteCrmToken}`), now)).toMatchObject({
      failure: { reason: 'unsigned' },
    });
  });

  it('and is split by record, without keeping the token', () => {
    const parts = source.parts({ token: suiteCrmToken, ...notification });
    expect(parts.map(({ name, orderKey }) => [name, orderKey])).toEqual([
      ['Deals.edit', 'suite_crm:Deals:1'],
      ['Deals.edit', 'suite_crm:Deals:2'],
    ]);
    expect(JSON.stringify(parts)).not.toContain(suiteCrmToken);
  });
});
