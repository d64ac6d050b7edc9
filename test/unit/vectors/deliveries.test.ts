import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { salesCrm } from '#adapters/services/sales-crm/service.ts';
import { signing } from '#adapters/services/signing/service.ts';
import { suiteCrm } from '#adapters/services/suite-crm/service.ts';
import { tracker } from '#adapters/services/tracker/service.ts';
import { signatureHeaders } from '#test/kit/deliveries.ts';
import { signed } from '#test/kit/signatures.ts';
import { sentTo } from '#test/support/webhooks/sent-to.ts';
import { readVectors } from '#test/unit/vectors/read-vectors.ts';

const { cases } = readVectors(
  'deliveries',
  z.object({
    cases: z.array(
      z.object({
        name: z.string(),
        service: z.enum(['sales_crm', 'signing', 'suite_crm', 'tracker']),
        secret: z.string(),
        now: z.number(),
        headers: z.record(z.string(), z.string()),
        body: z.string(),
        valid: z.boolean(),
      }),
    ),
  }),
);

type Case = (typeof cases)[number];

const sources = {
  sales_crm: (secret: string) => salesCrm.configure({ SALES_CRM_WEBHOOK_SECRET: secret }),
  signing: (secret: string) => signing.configure({ SIGNING_WEBHOOK_KEY: secret }),
  suite_crm: (secret: string) => suiteCrm.configure({ SUITE_CRM_WEBHOOK_TOKEN: secret }),
  tracker: (secret: string) => tracker.configure({ TRACKER_WEBHOOK_SECRET: secret }),
};

function isTaken({ service, secret, now, headers, body }: Case): boolean {
  const source = sources[service](secret).webhooks?.source();
  return source?.verify({ ...sentTo(service), headers, query: {}, body: Buffer.from(body) }, now).ok === true;
}

describe('a delivery of the shared vectors', () => {
  it.each(cases.map((given) => [given.service, given.name, given] as const))(
    'of %s is verified: %s (HOOK-002, HOOK-003, HOOK-004, HOOK-005, HOOK-006, HOOK-007)',
    (_service, _name, given) => expect(isTaken(given)).toBe(given.valid),
  );

  it('is signed by the contract kit as its sender does', () => {
    const genuine = cases.filter(({ name }) => name === 'signed by its sender');
    expect(genuine).toHaveLength(3);
    for (const { service, secret, headers, body } of genuine) {
      expect(headers[signatureHeaders[service] ?? '']).toBe(signed(body, secret));
    }
  });
});
