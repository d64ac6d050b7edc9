import type { Clause } from '#test/kit/clause.ts';
import { authorization } from '#test/kit/clauses/authorization.ts';
import { codes } from '#test/kit/clauses/codes.ts';
import { edge } from '#test/kit/clauses/edge.ts';
import { publicRoutes } from '#test/kit/clauses/public-routes.ts';
import { registration } from '#test/kit/clauses/registration.ts';
import { sessions } from '#test/kit/clauses/sessions.ts';
import { tokenEndpoint } from '#test/kit/clauses/token-endpoint.ts';

/** Every clause of the kit, in the order in which they run. */
export const allClauses: readonly Clause[] = [
  ...publicRoutes,
  ...registration,
  ...authorization,
  ...codes,
  ...tokenEndpoint,
  ...sessions,
  ...edge,
];
