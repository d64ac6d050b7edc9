import type { Clause } from '#test/kit/clause.ts';
import { authorization } from '#test/kit/clauses/authorization.ts';
import { calls } from '#test/kit/clauses/calls.ts';
import { codes } from '#test/kit/clauses/codes.ts';
import { connections } from '#test/kit/clauses/connections.ts';
import { edge } from '#test/kit/clauses/edge.ts';
import { last } from '#test/kit/clauses/last.ts';
import { mcp } from '#test/kit/clauses/mcp.ts';
import { salesCrm } from '#test/kit/clauses/operations/sales-crm.ts';
import { signing } from '#test/kit/clauses/operations/signing.ts';
import { suiteCrm } from '#test/kit/clauses/operations/suite-crm.ts';
import { tracker } from '#test/kit/clauses/operations/tracker.ts';
import { vault } from '#test/kit/clauses/operations/vault.ts';
import { publicRoutes } from '#test/kit/clauses/public-routes.ts';
import { reactions } from '#test/kit/clauses/reactions.ts';
import { registration } from '#test/kit/clauses/registration.ts';
import { sessions } from '#test/kit/clauses/sessions.ts';
import { tokenEndpoint } from '#test/kit/clauses/token-endpoint.ts';
import { webhooks } from '#test/kit/clauses/webhooks.ts';

/** Every clause of the kit, in the order in which they run. */
export const allClauses: readonly Clause[] = [
  ...publicRoutes,
  ...registration,
  ...authorization,
  ...codes,
  ...tokenEndpoint,
  ...sessions,
  ...edge,
  ...salesCrm,
  ...signing,
  ...suiteCrm,
  ...tracker,
  ...vault,
  ...mcp,
  ...connections,
  ...calls,
  ...webhooks,
  ...reactions,
  ...last,
];
