import { z } from 'zod';
import { defineService } from '#adapters/services/define-service.ts';
import { pandadocAddress } from '#adapters/services/signing/details/record-address.ts';
import { signingDialect } from '#adapters/services/signing/dialects.ts';
import { pandadocGuide } from '#adapters/services/signing/guide.ts';
import { explainMissing } from '#adapters/services/signing/missing.ts';
import { signingOAuth } from '#adapters/services/signing/oauth.ts';
import { operations } from '#adapters/services/signing/operations.ts';
import { signingWebhookSource } from '#adapters/services/signing/webhook-source.ts';

/** The signing service: documents, their recipients, and the templates that documents are created from. */
export const signing = defineService({
  key: 'signing',
  title: 'Signing service',
  noun: 'signing service',
  vendors: { pandadoc: 'PandaDoc' },
  guides: { pandadoc: pandadocGuide },
  operations,
  dialect: ({ dialect, url }) => signingDialect(dialect, url),
  oauth: ({ dialect, authorizeUrl, tokenUrl }) => signingOAuth(dialect, { authorizeUrl, tokenUrl }),
  connection: {
    key: 'api_key',
    // A key does not show whether it is a sandbox key: the lower limits apply unless `plan` says otherwise.
    extra: z.object({ plan: z.enum(['sandbox', 'production']).optional() }),
    probe: 'members.list',
  },
  recordAddresses: { pandadoc: pandadocAddress },
  versionPrefixes: ['/public/v1'],
  explainMissing,
  webhooks: {
    secret: 'SIGNING_WEBHOOK_KEY',
    source: ({ dialect }, secrets) => signingWebhookSource({ dialect, secrets }),
  },
  instructions: {
    tools: 'signing_*',
    tips: [
      'Signing: a new document is not ready at once. Ask signing_document_status until it is a draft, then send it.',
    ],
  },
});
