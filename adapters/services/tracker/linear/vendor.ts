import { revokedBeside } from '#adapters/services/credentials/token-revocation.ts';
import { defineVendor } from '#adapters/services/definitions/define-vendor.ts';
import { graphql } from '#adapters/services/requests/request-rows.ts';
import { trackerKind } from '#adapters/services/tracker/kind.ts';
import { linearChecks } from '#adapters/services/tracker/linear/checks.ts';
import { linearGuide } from '#adapters/services/tracker/linear/guide.ts';
import { linearAddress } from '#adapters/services/tracker/linear/record-address.ts';
import { linearResourceTypes, withLinearResourceTypes } from '#adapters/services/tracker/linear/resource-types.ts';
import { trackerDialect } from '#adapters/services/tracker/neutral/dialect.ts';
import { trackerOAuth } from '#adapters/services/tracker/neutral/oauth.ts';
import { trackerExtra } from '#adapters/services/tracker/neutral/vendor.ts';
import { desiredWebhooks, TrackerWebhooks } from '#adapters/services/tracker/neutral/webhook-registration.ts';
import { trackerWebhookSource } from '#adapters/services/tracker/neutral/webhook-source.ts';
import { act } from '#adapters/services/tracker/operations/change-rows.ts';
import { idOf } from '#adapters/services/tracker/operations/members.ts';
import * as selected from '#adapters/services/tracker/operations/selections.ts';
import { changedProject } from '#adapters/services/tracker/outputs.ts';

/** The neutral terms for Linear's resource types. */
const neutralTypes = new Map(Object.entries(linearResourceTypes).map(([word, type]) => [type, word]));

/** Moves a project to the bin. */
const projectDelete = act('projectDelete', '/projects/{id}/archive', {
  summary: 'Deletes a project',
  args: idOf('project'),
  affected: `entity ${selected.project}`,
  output: changedProject,
});

/** Lists the statuses of projects, which the interface's own queries show with the projects only. */
const projectStatuses = graphql(
  'read',
  'query projectStatuses { projectStatuses(first: 100) { nodes { id name } pageInfo { hasNextPage } } }',
  'Lists the statuses of projects',
  {},
  { route: { method: 'GET', path: '/project-statuses' } },
);

/** Linear, whose GraphQL documents are the neutral ones. */
export const linear = defineVendor(trackerKind, {
  name: 'linear',
  title: 'Linear',
  requests: { 'projects.delete': projectDelete, projectStatuses },
  operations: {
    'webhooks.create': { adapt: withLinearResourceTypes },
    // Its archiving of projects is deprecated in favour of this, which can be undone as well.
    'projects.archive': (send, { id }) => send('projects.delete', { id }),
    'project_statuses.list': (send) => send('projectStatuses', {}),
  },
  otherwise: 'neutral',
  dialect: ({ url }) => trackerDialect('linear', url ?? 'https://api.linear.app'),
  oauth: ({ authorizeUrl, tokenUrl }) => ({
    ...trackerOAuth({
      authorizeUrl: authorizeUrl ?? 'https://linear.app/oauth/authorize',
      tokenUrl: tokenUrl ?? 'https://api.linear.app/oauth/token',
    }),
    revocation: revokedBeside,
  }),
  extra: trackerExtra,
  answeredAddress: linearAddress,
  webhooks: {
    source: (_, secrets) =>
      trackerWebhookSource(secrets, { signatureHeader: 'Linear-Signature', deliveryHeader: 'Linear-Delivery' }),
    desired: desiredWebhooks,
    registration: (_, dependencies) => new TrackerWebhooks({ ...dependencies, neutralTypes }),
  },
  checks: linearChecks,
  guide: linearGuide,
});
