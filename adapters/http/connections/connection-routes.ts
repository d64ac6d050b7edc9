import { z } from 'zod';
import { sendFailure, statusOfFailure } from '#adapters/http/answers/problem.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { showMessage } from '#adapters/http/answers/show-page.ts';
import { unreadableMember } from '#adapters/http/answers/unreadable-rows.ts';
import {
  connectionInputs,
  failureForPeople,
  fieldsOf,
  savedFromForm,
  textForPeople,
} from '#adapters/http/connections/connection-input.ts';
import { connectionForms } from '#adapters/http/connections/connection-method-forms.ts';
import type { ConnectionNotice, ShowConnections } from '#adapters/http/connections/connections-page.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { checkedQuery, checkedValue } from '#adapters/http/requests/checked-input.ts';
import { type FormGuard, formTokenField } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext, type Who } from '#adapters/http/route.ts';
import type { ConnectFailure, ConnectService } from '#application/connections/connect-service.ts';
import type { SaveCredentials } from '#application/connections/save-credentials.ts';
import type { TestConnection, TestedConnection } from '#application/connections/test-connection.ts';
import type { Connection } from '#domain/connections/connection.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { isLimited, isPermitted } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

type ConnectionRoutesDependencies = Readonly<{
  connect: ConnectService;
  save: SaveCredentials;
  test: TestConnection;
  list: (user: User) => Promise<readonly Connection[]>;
  /** Returns whether it was revoked at the provider; null when there was nothing to disconnect. */
  disconnect: (userId: number, service: ServiceKey) => Promise<boolean | null>;
  formGuard: FormGuard;
  names: ServiceNames;
  /** Shows the connections page after an action on it. */
  showPage: ShowConnections;
}>;

const statusOf: Readonly<Record<ConnectFailure['reason'], number>> = {
  forbidden: 403,
  invalid_extra: 400,
  unknown_state: 400,
  denied: 400,
  refused: 400,
  not_configured: 409,
  unavailable: 502,
};

/** The choices in a query: each once, by name. */
const choicesSchema = z.record(z.string(), z.string());

/** The query parameter that marks a request to `/connect/…` as sent by a form. */
const formField = 'form';

type Dependencies = ConnectionRoutesDependencies & Readonly<{ inputs: ReturnType<typeof connectionInputs> }>;
type Run = (ctx: RouteContext, dependencies: Dependencies) => Promise<void>;

/**
 * The routes for connecting and disconnecting (CONN-002 to CONN-006). `POST /connections/{service}/test` tests a
 * connection, and answers JSON callers with `{service, state, checked, reason}` and the form with a page.
 */
export function connectionRoutes(given: ConnectionRoutesDependencies): readonly Route[] {
  const dependencies = { ...given, inputs: connectionInputs(given.names.keys) };
  const get = (path: string, who: Who, run: Run): Route => ({
    method: 'GET',
    path,
    who,
    body: 'none',
    run: (ctx) => run(ctx, dependencies),
  });
  const post = (path: string, who: Who, run: Run): Route => ({
    ...get(path, who, run),
    method: 'POST',
    body: 'json-or-form',
  });
  return [
    get('/connect/:service', 'person', begin),
    get('/connect/:service/callback', 'person', finish),
    post('/save', 'person-or-app', save),
    post('/disconnect', 'person', disconnect),
    post('/connections/:service/test', 'person-or-app', test),
    get('/api/connections', 'granted', all),
  ];
}

async function all(ctx: RouteContext, { list }: Dependencies): Promise<void> {
  const user = userOf(ctx);
  const isShown = ({ service }: Connection): boolean => !isLimited(user) || isPermitted(user, service);
  ctx.body = { data: (await list(user)).filter(isShown).map(shown), ...unreadableMember(ctx, 'connections') };
}

async function begin(ctx: RouteContext, { connect, formGuard, names, inputs, showPage }: Dependencies): Promise<void> {
  const service = inputs.service.safeParse(parameterOf(ctx, 'service'));
  if (!service.success) return unknownService(ctx, names);
  const site = ctx.get('Sec-Fetch-Site');
  if (site === 'cross-site' || site === 'same-site') {
    const text = 'Another site sent you here. If you want to connect, do it from your connections page.';
    return page(ctx, 403, 'Nothing was connected', text);
  }
  const browser = formGuard.tokenFor(ctx, connectionForms.connect, [String(userOf(ctx).id)]);
  const read = checkedQuery(ctx, choicesSchema);
  if (!read.ok) {
    return refuseConnect(ctx, { names, showPage }, service.data, {
      reason: 'invalid_extra',
      message: read.failure.message,
    });
  }
  const { [formField]: isForm, ...extra } = read.value;
  const begun = await connect.begin(userOf(ctx), service.data, { browser, extra });
  if (!begun.ok) return refuseConnect(ctx, { names, showPage }, service.data, begun.failure);
  if (isForm !== undefined) return redirectByPage(ctx, names.of(service.data), begun.value);
  ctx.status = 302;
  ctx.set('Location', begun.value);
  ctx.body = '';
}

/**
 * Answers a form with a page that redirects at once, since the content security policy forbids redirecting a form
 * elsewhere.
 */
function redirectByPage(ctx: RouteContext, name: string, address: string): void {
  ctx.set('Refresh', `0; url=${address}`);
  const link = { href: address, text: `Continue to the ${name}` };
  showMessage(ctx, 200, { title: `Continue to the ${name}`, text: 'You sign in there and come back.', link });
}

async function finish(ctx: RouteContext, { connect, formGuard, names, inputs, showPage }: Dependencies): Promise<void> {
  const service = inputs.service.safeParse(parameterOf(ctx, 'service'));
  if (!service.success) return unknownService(ctx, names);
  const browser = formGuard.tokenFor(ctx, connectionForms.connect, [String(userOf(ctx).id)]);
  const finished = await connect.finish(userOf(ctx), service.data, { browser, query: queryOf(ctx) });
  if (!finished.ok) return refuseConnect(ctx, { names, showPage }, service.data, finished.failure);
  seeOther(ctx, service.data);
}

async function save(ctx: RouteContext, dependencies: Dependencies): Promise<void> {
  const isForm = isFormSent(ctx);
  if (isForm && !isGenuine(ctx, dependencies.formGuard, connectionForms.save)) return stale(ctx);
  const given = checkedValue(dependencies.inputs.saved, isForm ? savedFromForm(ctx.request.body) : ctx.request.body);
  if (!given.ok) return refuseInput(ctx, dependencies, given.failure);
  const { service, auth_method: authMethod, access_token: accessToken, extra } = given.value;
  const saved = await dependencies.save.run(userOf(ctx), { service, authMethod, accessToken, extra });
  if (!saved.ok) return refuseSaved(ctx, isForm ? dependencies.showPage : null, service, saved.failure);
  if (isForm) return seeOther(ctx, service);
  ctx.body = saved.value;
}

async function disconnect(ctx: RouteContext, dependencies: Dependencies): Promise<void> {
  const isForm = isFormSent(ctx);
  if (isForm && !isGenuine(ctx, dependencies.formGuard, connectionForms.disconnect)) return stale(ctx);
  const { service: named } = fieldsOf(ctx.request.body);
  const given = checkedValue(dependencies.inputs.disconnected, isForm ? { service: named } : ctx.request.body);
  if (!given.ok) return refuseInput(ctx, dependencies, given.failure);
  const { service } = given.value;
  const revoked = await dependencies.disconnect(userOf(ctx).id, service);
  if (isForm) return seeOther(ctx, service);
  if (revoked !== null) ctx.body = { service, state: 'disconnected', revoked };
  else sendFailure(ctx, failed('not_connected', await notDisconnected(ctx, dependencies, service)));
}

/** Explains why there was nothing to disconnect: the team's vault is shared by all users with the permission. */
async function notDisconnected(
  ctx: RouteContext,
  { list, names }: ConnectionRoutesDependencies,
  service: ServiceKey,
): Promise<string> {
  const isTeams = (await list(userOf(ctx))).some((connection) => connection.service === service && connection.isTeams);
  if (!isTeams) return `You are not connected to the ${names.of(service)}.`;
  if (service !== 'vault') return `Nobody connects to the ${names.of(service)}, so it stays connected.`;
  return 'This is the team’s vault, which stays connected. You can connect one of your own instead.';
}

async function test(ctx: RouteContext, dependencies: Dependencies): Promise<void> {
  const { inputs, names } = dependencies;
  const service = inputs.service.safeParse(parameterOf(ctx, 'service'));
  if (!service.success) return unknownService(ctx, names);
  const isForm = isFormSent(ctx);
  if (isForm && !isGenuine(ctx, dependencies.formGuard, connectionForms.test)) return stale(ctx);
  const tested = await dependencies.test.run(userOf(ctx), service.data);
  if (!tested.ok) return refuseOn(ctx, isForm ? dependencies.showPage : null, service.data, tested.failure);
  if (isForm) return dependencies.showPage(ctx, 200, testedNotice(names.of(service.data), tested.value));
  ctx.body = tested.value;
}

function testedNotice(name: string, { service, state, checked, reason }: TestedConnection): ConnectionNotice {
  const why = reason ?? '';
  if (!checked) {
    const text = `The ${name} could not be tested: ${why} Nothing has changed; try again later.`;
    return { service, kind: 'warn', text };
  }
  if (state === 'connected') {
    const text = `The ${name} works: it answered and accepted your credentials. ${why}`.trim();
    return { service, kind: 'good', text };
  }
  return { service, kind: 'bad', text: `The ${name} does not work. ${why}`.trim() };
}

function queryOf(ctx: RouteContext): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(ctx.query).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

function isFormSent(ctx: RouteContext): boolean {
  return ctx.is('urlencoded') === 'urlencoded';
}

function isGenuine(ctx: RouteContext, formGuard: FormGuard, form: string): boolean {
  const token = fieldsOf(ctx.request.body)[formTokenField];
  return typeof token === 'string' && formGuard.isGenuine(ctx, token, form, [String(userOf(ctx).id)]);
}

/**
 * A connection as JSON. `owner` is `team` for the vault that all users with the permission share; `retry_at` is given
 * for rejected credentials.
 */
function shown({ service, authMethod, scope, state, expiresAt, since, reason, retryAt, isTeams, vendor }: Connection) {
  const retry = retryAt === null ? {} : { retry_at: retryAt };
  const owner = isTeams ? { owner: 'team' } : {};
  const at = vendor === null ? {} : { vendor };
  return {
    service,
    ...at,
    auth_method: authMethod,
    scope,
    state,
    expires_at: expiresAt,
    since,
    reason,
    ...retry,
    ...owner,
  };
}

/** Answers input that does not conform: a form on the card of its service if that is known, else on a page. */
async function refuseInput(ctx: RouteContext, { inputs, showPage }: Dependencies, failure: Failure): Promise<void> {
  if (!isFormSent(ctx)) return sendFailure(ctx, failure);
  const service = inputs.service.safeParse(fieldsOf(ctx.request.body)['service']);
  if (service.success) return refuseOn(ctx, showPage, service.data, failure);
  page(ctx, statusOfFailure[failure.reason], 'Something went wrong', failureForPeople(failure));
}

/** Answers a failed action on a service: on its card where the page is given, else as JSON. */
async function refuseOn(
  ctx: RouteContext,
  showPage: ShowConnections | null,
  service: ServiceKey,
  failure: Failure,
  status = statusOfFailure[failure.reason],
): Promise<void> {
  if (showPage === null) sendFailure(ctx, failure, status);
  else await showPage(ctx, status, { service, kind: 'bad', text: `It did not work. ${failureForPeople(failure)}` });
}

/** Reports credentials that the provider rejected as the caller's error; elsewhere they would be a server error. */
function refuseSaved(
  ctx: RouteContext,
  showPage: ShowConnections | null,
  service: ServiceKey,
  failure: Failure,
): Promise<void> {
  const status = failure.reason === 'unauthorized' ? 422 : statusOfFailure[failure.reason];
  return refuseOn(ctx, showPage, service, failure, status);
}

function refuseConnect(
  ctx: RouteContext,
  { names, showPage }: Pick<Dependencies, 'names' | 'showPage'>,
  service: ServiceKey,
  { reason, message }: ConnectFailure,
): Promise<void> {
  const text = `The ${names.of(service)} was not connected. ${textForPeople(message)}`;
  return showPage(ctx, statusOf[reason], { service, kind: 'bad', text });
}

function stale(ctx: RouteContext): void {
  page(
    ctx,
    403,
    'This form has expired',
    'It was made in another browser or for another user. Go back to your connections and try again.',
  );
}

function unknownService(ctx: RouteContext, { keys }: ServiceNames): void {
  refuse(ctx, { status: 404, error: 'not_found', description: `The services are: ${keys.join(', ')}.` });
}

function page(ctx: RouteContext, status: number, title: string, text: string): void {
  showMessage(ctx, status, { title, text, link: { href: '/page', text: 'Your connections' } });
}

function seeOther(ctx: RouteContext, service: ServiceKey): void {
  ctx.status = 303;
  ctx.set('Location', `/page#${service}`);
  ctx.body = '';
}
