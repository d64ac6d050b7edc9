import { z } from 'zod';
import { defineVendor } from '#adapters/services/definitions/define-vendor.ts';
import { lacks } from '#adapters/services/definitions/vendor-operations.ts';
import { trackerKind } from '#adapters/services/tracker/kind.ts';
import { trackerDialect } from '#adapters/services/tracker/neutral/dialect.ts';
import { trackerOAuth } from '#adapters/services/tracker/neutral/oauth.ts';
import { desiredWebhooks, TrackerWebhooks } from '#adapters/services/tracker/neutral/webhook-registration.ts';
import { trackerWebhookSource } from '#adapters/services/tracker/neutral/webhook-source.ts';

/** What a connection stores in `extra`. */
export const trackerExtra = z.looseObject({
  actor_mode: z.enum(['user', 'app']).optional(),
  header_format: z.string().optional(),
});

/** Any tracker with the neutral interface. */
export const neutral = defineVendor(trackerKind, {
  name: 'neutral',
  title: null,
  operations: { 'webhooks.list': lacks() },
  otherwise: 'neutral',
  dialect: ({ url }) => trackerDialect('neutral', url),
  oauth: trackerOAuth,
  extra: trackerExtra,
  webhooks: {
    source: (_, secrets) =>
      trackerWebhookSource(secrets, { signatureHeader: 'Tracker-Signature', deliveryHeader: 'Tracker-Delivery' }),
    desired: desiredWebhooks,
    registration: (_, dependencies) => new TrackerWebhooks({ ...dependencies, neutralTypes: null }),
  },
});
