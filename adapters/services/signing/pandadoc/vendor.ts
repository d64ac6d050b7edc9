import { defineVendor } from '#adapters/services/definitions/define-vendor.ts';
import { foldersStay } from '#adapters/services/signing/changes.ts';
import { signingKind } from '#adapters/services/signing/kind.ts';
import { signingDialect } from '#adapters/services/signing/neutral/dialect.ts';
import { signingOAuth } from '#adapters/services/signing/neutral/oauth.ts';
import { signingExtra } from '#adapters/services/signing/neutral/vendor.ts';
import { signingWebhookSource } from '#adapters/services/signing/neutral/webhook-source.ts';
import { pandadocChecks } from '#adapters/services/signing/pandadoc/checks.ts';
import { pandadocGuide } from '#adapters/services/signing/pandadoc/guide.ts';
import { pandadocBudgets, pandadocLimitIn } from '#adapters/services/signing/pandadoc/limits.ts';
import { pandadocAddress } from '#adapters/services/signing/pandadoc/record-address.ts';
import { requests } from '#adapters/services/signing/pandadoc/requests.ts';
import {
  desiredWebhooks,
  PandadocWebhooks,
  subscriptionRequests,
} from '#adapters/services/signing/pandadoc/webhook-registration.ts';
import { signedIn } from '#adapters/services/webhooks/delivery-verifier.ts';
import { boundId } from '#adapters/services/webhooks/webhook-signature.ts';
import { singleHeader, singleParameter } from '#domain/webhooks/delivery.ts';

/** Lists that PandaDoc returns whole although the interface pages them (SIGN-007). */
const wholePages = ['/public/v1/contacts', '/public/v1/members'];

/** PandaDoc. */
export const pandadoc = defineVendor(signingKind, {
  name: 'pandadoc',
  title: 'PandaDoc',
  requests: subscriptionRequests,
  operations: requests,
  otherwise: 'neutral',
  dialect: ({ url }) => ({
    ...signingDialect({ name: 'pandadoc', url: url ?? 'https://api.pandadoc.com', wholePages }),
    budgets: pandadocBudgets,
    limitIn: pandadocLimitIn,
  }),
  oauth: ({ authorizeUrl, tokenUrl }) =>
    signingOAuth({
      authorizeUrl: authorizeUrl ?? 'https://app.pandadoc.com/oauth2/authorize',
      tokenUrl: tokenUrl ?? 'https://api.pandadoc.com/oauth2/access_token',
    }),
  extra: signingExtra,
  changes: { 'folders.create': foldersStay },
  recordAddress: pandadocAddress,
  webhooks: {
    desired: desiredWebhooks,
    choosesSecrets: true,
    registration: (_, dependencies) => new PandadocWebhooks(dependencies),
    source: (_, secrets) =>
      signingWebhookSource(secrets, {
        proof: signedIn('the parameter `signature`', { read: (delivery) => singleParameter(delivery, 'signature') }),
        // `date_created` is the document's and says nothing about the delivery, which its event id identifies.
        idOf: (delivery, body) => boundId(singleHeader(delivery, 'X-PandaDoc-Webhook-Event-Id'), body),
      }),
  },
  checks: pandadocChecks,
  guide: pandadocGuide,
});
