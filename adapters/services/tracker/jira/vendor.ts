import { z } from 'zod';
import { defineVendor } from '#adapters/services/definitions/define-vendor.ts';
import { issueDeletedAtOnce } from '#adapters/services/tracker/changes.ts';
import { jiraChecks } from '#adapters/services/tracker/jira/checks.ts';
import { jiraDialect } from '#adapters/services/tracker/jira/dialect.ts';
import { jiraGuide } from '#adapters/services/tracker/jira/guide.ts';
import { jiraExtra, jiraOAuth, siteAddress, withSite } from '#adapters/services/tracker/jira/oauth.ts';
import { jiraOperations, lackedInputs } from '#adapters/services/tracker/jira/operations.ts';
import { requests } from '#adapters/services/tracker/jira/requests.ts';
import { jiraWebhookSource } from '#adapters/services/tracker/jira/webhook-source.ts';
import { lifeMs } from '#adapters/services/tracker/jira/webhooks.ts';
import { trackerKind } from '#adapters/services/tracker/kind.ts';
import { desiredWebhooks, TrackerWebhooks } from '#adapters/services/tracker/neutral/webhook-registration.ts';

const answered = z.object({ url: z.string().max(500) });

/** Jira Cloud: teams are its projects, projects its epics, cycles its sprints. */
export const jira = defineVendor(trackerKind, {
  name: 'jira',
  title: 'Jira',
  requests,
  probe: requests.myself,
  operations: jiraOperations,
  lacksInputs: lackedInputs,
  dialect: ({ url }) => jiraDialect(url),
  oauth: (settings) => jiraOAuth(settings),
  extra: jiraExtra,
  complete: (record, http, { url }) => withSite(record, http, url),
  answeredAddress: (data) => siteAddress(answered.safeParse(data).data?.url)?.href ?? null,
  webhooks: {
    source: (_, secrets) => jiraWebhookSource(secrets),
    desired: desiredWebhooks,
    registration: (_, { now, ...dependencies }) =>
      new TrackerWebhooks({ ...dependencies, neutralTypes: new Map(), ends: { lifeMs, now } }),
  },
  guide: jiraGuide,
  changes: { 'issues.delete': issueDeletedAtOnce },
  checks: jiraChecks,
});
