import { equal, holds, inTime, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import { type Delivery, deliver, type Sender, signatureHeaders, signedDelivery } from '#test/kit/deliveries.ts';
import type { Kit } from '#test/kit/kit.ts';
import { all, good, quiet, signing } from '#test/kit/quiet-deliveries.ts';
import { signed } from '#test/kit/signatures.ts';

type Fields = Readonly<Record<string, unknown>>;

const minuteMs = 60_000;

const ids: Readonly<Record<Sender, string>> = {
  sales_crm: 'HOOK-004',
  signing: 'HOOK-005',
  suite_crm: 'HOOK-006',
  tracker: 'HOOK-007',
};

/** A delivery with a wrong signature, or with none. */
function withSignature(given: Delivery, signature: string | null): Delivery {
  const header = signatureHeaders[given.service] ?? '';
  const { [header]: _, ...others } = given.headers;
  return { ...given, headers: signature === null ? others : { ...others, [header]: signature } };
}

const wrongSignatures: readonly (readonly [string, (kit: Kit, given: Delivery) => string | null])[] = [
  ['missing', () => null],
  ['empty', () => ''],
  ['other-secret', (_, { body }) => signed(body, 'another secret')],
  ['other-body', (kit, { service, body }) => signed(`${body} `, kit.secret(service))],
  ['cut', (kit, { service, body }) => signed(body, kit.secret(service)).slice(0, 63)],
  ['lengthened', (kit, { service, body }) => `${signed(body, kit.secret(service))}0`],
];

/** How far from now a delivery was made, what it is answered, and how long that may take without its being another case, in ms. */
const stale: readonly (readonly [Sender, string, number, number, number])[] = [
  ['signing', 'late', -6 * minuteMs, 401, Infinity],
  ['signing', 'early', 6 * minuteMs, 401, 59_000],
  ['signing', 'in-time', -4 * minuteMs, 200, 59_000],
  ['tracker', 'late', -61_500, 401, Infinity],
  ['tracker', 'early', 62_000, 401, 1500],
  ['tracker', 'in-time', -50_000, 200, 9000],
];

const payloadAt = (service: Sender, at: number): Fields =>
  service === 'signing'
    ? { ...quiet.signing(), date_created: new Date(at).toISOString() }
    : { ...quiet.tracker(), webhookTimestamp: at };

/** Clauses on the verification of deliveries, by service. */
export const signatures: readonly Clause[] = [
  ...all.map((service) =>
    contract(
      ids[service],
      `a delivery of ${service} that its sender made is taken`,
      async (kit) => status(await deliver(kit, good(kit, service)), 200),
      [`secret:${service}`],
    ),
  ),
  ...all.map((service) =>
    portolan(
      `HOOK-023/${service}`,
      'it is answered {"received":true}',
      async (kit) => equal((await deliver(kit, good(kit, service))).json, { received: true }, 'the body'),
      [`secret:${service}`],
    ),
  ),
  ...signing.flatMap((service) =>
    wrongSignatures.map(([variant, of]) =>
      contract(
        `HOOK-003/${service}.${variant}`,
        `a delivery of ${service} with a wrong signature is 401: ${variant}`,
        async (kit) => {
          const given = good(kit, service);
          status(await deliver(kit, withSignature(given, of(kit, given))), 401);
        },
        [`secret:${service}`],
      ),
    ),
  ),
  ...(
    [
      ['missing', {}],
      ['wrong', { token: 'wrong' }],
      ['cut', { token: 'HALF' }],
      ['lengthened', { token: 'SECRET0' }],
      ['empty', { token: '' }],
      ['list', { token: [] }],
      ['deep', { data: { token: 'SECRET' } }],
    ] as const
  ).map(([variant, token]) =>
    contract(
      `HOOK-003/suite_crm.${variant}`,
      `a delivery of suite_crm with a wrong token is 401: ${variant}`,
      async (kit) => {
        const secret = kit.secret('suite_crm');
        const half = secret.slice(0, Math.ceil(secret.length / 2));
        const text = JSON.stringify({ ...quiet.suite_crm(), ...token })
          .replace('SECRET', secret)
          .replace('HALF', half);
        status(await deliver(kit, { service: 'suite_crm', headers: {}, body: text }), 401);
      },
      ['secret:suite_crm'],
    ),
  ),
  ...stale.map(([service, variant, offset, expected, withinMs]) =>
    contract(
      `${ids[service]}/${variant}`,
      `a delivery of ${service} that is ${offset / 1000} s from now is ${expected}`,
      async (kit) => {
        const answer = await inTime(
          withinMs,
          () => deliver(kit, signedDelivery(kit, service, JSON.stringify(payloadAt(service, Date.now() + offset)))),
          (given) => given.status === expected,
        );
        status(answer, expected);
      },
      [`secret:${service}`],
    ),
  ),
  ...(['signing', 'tracker'] as const).map((service) =>
    contract(
      `${ids[service]}/no-time`,
      `a signed delivery of ${service} without a time is refused`,
      async (kit) => {
        const { date_created: _, webhookTimestamp: __, ...rest } = quiet[service]();
        const answer = await deliver(kit, signedDelivery(kit, service, JSON.stringify(rest)));
        holds(answer.status >= 400 && answer.status < 500, 'a refusal', `${answer.status} ${answer.text}`);
      },
      [`secret:${service}`],
    ),
  ),
  ...signing.map((service) =>
    contract(
      `HOOK-002/${service}`,
      `the signature of ${service} is of the raw bytes, not of JSON serialized again`,
      async (kit) => {
        const payload = JSON.stringify(quiet[service]());
        const odd = ` ${payload.replaceAll('":', '" :  ').replace('{', '{\n')}\n`;
        status(await deliver(kit, signedDelivery(kit, service, odd)), 200);
        const signature = signed(payload, kit.secret(service));
        status(await deliver(kit, withSignature(signedDelivery(kit, service, odd), signature)), 401);
      },
      [`secret:${service}`],
    ),
  ),
  portolan('HOOK-001/vault', '/webhooks/vault is 404', async (kit) => {
    status(
      await kit.send({
        method: 'POST',
        path: '/webhooks/vault',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      }),
      404,
    );
  }),
  ...all.map((service) =>
    contract(
      `HOOK-001/${service}`,
      `POST /webhooks/${service} exists, and an unsigned delivery is 401`,
      async (kit) => {
        status(await deliver(kit, { service, headers: {}, body: '{}' }), 401);
      },
    ),
  ),
];
