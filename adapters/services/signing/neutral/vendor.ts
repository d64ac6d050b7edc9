import { z } from 'zod';
import { defineVendor } from '#adapters/services/definitions/define-vendor.ts';
import { lacks } from '#adapters/services/definitions/vendor-operations.ts';
import { signingKind } from '#adapters/services/signing/kind.ts';
import { signingDialect } from '#adapters/services/signing/neutral/dialect.ts';
import { signingOAuth } from '#adapters/services/signing/neutral/oauth.ts';
import { neutralFacts, signingWebhookSource } from '#adapters/services/signing/neutral/webhook-source.ts';

/** What a connection stores in `extra`: a key does not show whether it is a sandbox key, so the lower limits apply. */
export const signingExtra = z.object({ plan: z.enum(['sandbox', 'production']).optional() });

/** Any signing service with the neutral interface. */
export const neutral = defineVendor(signingKind, {
  name: 'neutral',
  title: null,
  operations: { 'templates.details': lacks() },
  otherwise: 'neutral',
  dialect: ({ url }) => signingDialect({ name: 'neutral', url, wholePages: [] }),
  oauth: signingOAuth,
  extra: signingExtra,
  webhooks: { source: (_, secrets) => signingWebhookSource(secrets, neutralFacts) },
});
