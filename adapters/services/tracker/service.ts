import { z } from 'zod';
import { defineService } from '#adapters/services/define-service.ts';
import { linearAddress } from '#adapters/services/tracker/details/record-address.ts';
import { trackerDialect } from '#adapters/services/tracker/dialects.ts';
import { linearGuide } from '#adapters/services/tracker/guide.ts';
import { trackerOAuth } from '#adapters/services/tracker/oauth.ts';
import { operations } from '#adapters/services/tracker/operations.ts';
import { desiredWebhooks, TrackerWebhooks } from '#adapters/services/tracker/webhook-registration.ts';
import { trackerWebhookSource } from '#adapters/services/tracker/webhook-source.ts';

/** What a connection stores in `extra`. */
const extra = z.looseObject({
  actor_mode: z.enum(['user', 'app']).optional(),
  header_format: z.string().optional(),
});

/** The tracker: issues, projects, cycles and documents. */
export const tracker = defineService({
  key: 'tracker',
  title: 'Tracker',
  noun: 'tracker',
  vendors: { linear: 'Linear' },
  guides: { linear: linearGuide },
  operations,
  dialect: ({ dialect, url }) => trackerDialect(dialect, url),
  oauth: ({ dialect, authorizeUrl, tokenUrl }) => trackerOAuth(dialect, { authorizeUrl, tokenUrl }),
  connection: { key: 'personal_token', extra, probe: 'viewer.get' },
  answeredAddresses: { linear: linearAddress },
  maxBytes: 16 * 1024 * 1024,
  webhooks: {
    secret: 'TRACKER_WEBHOOK_SECRET',
    source: ({ dialect }, secrets) => trackerWebhookSource({ dialect, secrets }),
    desired: desiredWebhooks,
    registration: ({ dialect }, { caller, secrets, secretId }) =>
      new TrackerWebhooks({ caller, dialect, secrets, secretId }),
  },
  instructions: {
    tools: 'tracker_*',
    purpose: 'for issues',
    tips: [
      'The tracker archives issues; nothing is deleted for good.',
      "`filter` in tracker lists is the tracker's own JSON: comparators eq, neq, in, nin, lt, lte, gt, gte, contains, containsIgnoreCase, null, joined by and, or. `orderBy` is createdAt by default.",
    ],
  },
});
