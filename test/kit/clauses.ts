import type { Clause } from '#test/kit/clause.ts';
import { authorization } from '#test/kit/clauses/authorization.ts';
import { authorizationRequests } from '#test/kit/clauses/authorization-requests.ts';
import { budgets, hourlyBudgets } from '#test/kit/clauses/budgets.ts';
import { calls } from '#test/kit/clauses/calls.ts';
import { codes } from '#test/kit/clauses/codes.ts';
import { connections } from '#test/kit/clauses/connections.ts';
import { edge } from '#test/kit/clauses/edge.ts';
import { events } from '#test/kit/clauses/events.ts';
import { last } from '#test/kit/clauses/last.ts';
import { mcp } from '#test/kit/clauses/mcp.ts';
import { notes } from '#test/kit/clauses/notes.ts';
import { oauth, refusedTwice } from '#test/kit/clauses/oauth.ts';
import { salesCrm } from '#test/kit/clauses/operations/sales-crm.ts';
import { signing } from '#test/kit/clauses/operations/signing.ts';
import { suiteCrm } from '#test/kit/clauses/operations/suite-crm.ts';
import { tracker } from '#test/kit/clauses/operations/tracker.ts';
import { vault } from '#test/kit/clauses/operations/vault.ts';
import { pages } from '#test/kit/clauses/pages.ts';
import { publicRoutes } from '#test/kit/clauses/public-routes.ts';
import { reactions } from '#test/kit/clauses/reactions.ts';
import { registration } from '#test/kit/clauses/registration.ts';
import { renewal } from '#test/kit/clauses/renewal.ts';
import { rest } from '#test/kit/clauses/rest.ts';
import { rights } from '#test/kit/clauses/rights.ts';
import { sessions } from '#test/kit/clauses/sessions.ts';
import { signatures } from '#test/kit/clauses/signatures.ts';
import { tokenEndpoint } from '#test/kit/clauses/token-endpoint.ts';
import { tools } from '#test/kit/clauses/tools.ts';

/** Every clause of the kit, in the order in which they run. */
export const allClauses: readonly Clause[] = [
  ...publicRoutes,
  ...registration,
  ...authorization,
  ...authorizationRequests,
  ...codes,
  ...tokenEndpoint,
  ...sessions,
  ...edge,
  ...pages,
  ...salesCrm,
  ...signing,
  ...suiteCrm,
  ...tracker,
  ...vault,
  ...mcp,
  ...tools,
  ...rights,
  ...oauth,
  ...connections,
  ...calls,
  ...rest,
  ...budgets,
  ...refusedTwice,
  ...renewal,
  ...signatures,
  ...events,
  ...reactions,
  ...notes,
  ...hourlyBudgets,
  ...last,
];
