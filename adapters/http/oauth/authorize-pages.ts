import { sendPage } from '#adapters/http/answers/page-headers.ts';
import { showMessage } from '#adapters/http/answers/show-page.ts';
import { renderTemplate } from '#adapters/http/answers/templates.ts';
import { forgetHints } from '#adapters/http/home/forget-hints.ts';
import { accessRows } from '#adapters/http/oauth/access-fields.ts';
import { askOptions } from '#adapters/http/oauth/ask-options.ts';
import { askField, carriedFields } from '#adapters/http/oauth/authorization-fields.ts';
import { consentPage, formTargetsOf } from '#adapters/http/oauth/consent-page.ts';
import { type FormGuard, formTokenField } from '#adapters/http/requests/form-guard.ts';
import type { RouteContext } from '#adapters/http/route.ts';
import { loginPage } from '#adapters/http/sign-in/login-page.ts';
import { providerPath, type SignInWays } from '#adapters/http/sign-in/sign-in-ways.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { Caller } from '#application/session/identify-caller.ts';
import type { AskChoice } from '#domain/changes/ask-policy.ts';
import type { AuthorizationRequest, PageError } from '#domain/oauth/authorization-request.ts';
import { publisherOf } from '#domain/oauth/client-document.ts';
import { type AccessLevel, choiceOfScope, type GrantChoice } from '#domain/oauth/grant.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { isPermitted } from '#domain/users/rights.ts';

/** How a page is shown: its status, the text of its error banner, and the e-mail entered before. */
type Showing = Readonly<{ status: number; banner: string | null; email?: string }>;

/** The data of the consent page. `choice` is preselected. */
type Consent = Readonly<{
  request: AuthorizationRequest;
  caller: Caller;
  showing: Showing;
  choice: GrantChoice;
  /** What the user chose to be asked before, in a form that is shown again; null for nothing. */
  ask?: AskChoice | null;
}>;

/** What an app asks for of a service, in the words of people. */
const askedTexts: Readonly<Record<AccessLevel, string>> = {
  off: 'not asked for',
  read: 'asks to read',
  full: 'asks to read and change',
};

/** The purpose of the token of the consent form; that of forms with one access for all services was `consent`. */
const consentPurpose = 'consent-by-service';

const home = { href: '/', text: 'Home' };

const errorTexts: Readonly<
  Record<
    Exclude<PageError['reason'], 'unknown_client' | 'unusable_document'>,
    Readonly<{ title: string; text: string }>
  >
> = {
  invalid_request: {
    title: 'This link is incomplete',
    text: 'The app that sent you here did not identify itself. Go back to it and connect again.',
  },
  invalid_redirect_uri: {
    title: 'This app’s redirect address is not registered',
    text: 'For your safety, you are not redirected there. Go back to the app and connect again; if that does not help, remove this server from the app and add it again.',
  },
};

/** The dependencies of the pages; `mcpUrl` is the address for apps. */
type AuthorizePagesDependencies = Readonly<{
  formGuard: FormGuard;
  connections: Pick<Connections, 'overview'>;
  names: ServiceNames;
  mcpUrl: string;
  ways: SignInWays;
}>;

/** The pages of an authorization transaction, with their form tokens. */
export class AuthorizePages {
  readonly #formGuard: FormGuard;
  readonly #connections: Pick<Connections, 'overview'>;
  readonly #names: ServiceNames;
  readonly #unknownApp: string;
  readonly #ways: SignInWays;

  constructor(dependencies: AuthorizePagesDependencies) {
    const { formGuard, connections, names, mcpUrl, ways } = dependencies;
    this.#ways = ways;
    this.#names = names;
    this.#unknownApp = renderTemplate('unknown-app', { clients: forgetHints(mcpUrl), hasScript: true });
    this.#formGuard = formGuard;
    this.#connections = connections;
  }

  /** Shows the login page, when there is no session. */
  showLogin(ctx: RouteContext, request: AuthorizationRequest, { status, banner, email = '' }: Showing): void {
    const token = this.#formGuard.tokenFor(ctx, 'authorize-login', []);
    const fields = carriedFields(request);
    const provided = new URLSearchParams({ ...fields, ...(request.wantsLogin ? { prompt: 'login' } : {}) });
    const html = loginPage({
      action: '/authorize',
      clientName: request.client.name,
      email,
      banner,
      hidden: { ...fields, [formTokenField]: token },
      ways: this.#ways,
      providerHref: `${providerPath}?${provided.toString()}`,
    });
    sendPage(ctx, status, html, { formTargets: formTargetsOf(request.redirectUri) });
  }

  /** Whether a login form was sent from a page of this server. */
  isLoginGenuine(ctx: RouteContext, token: string): boolean {
    return this.#formGuard.isGenuine(ctx, token, 'authorize-login', []);
  }

  /** Shows the consent page to a signed-in user. */
  async showConsent(ctx: RouteContext, { request, caller, showing, choice, ask = null }: Consent): Promise<void> {
    const { user } = caller;
    const asked = request.scope === null ? null : choiceOfScope(request.scope, this.#names.keys);
    const connected = (await this.#connections.overview(user.id)).services;
    const fields = carriedFields(request);
    const token = this.#formGuard.tokenFor(ctx, consentPurpose, consentBinding(request, caller));
    const html = consentPage({
      clientName: request.client.name,
      publisher: publisherOf(request.client),
      redirectUri: request.redirectUri,
      email: user.email,
      banner: showing.banner,
      askField,
      hasAll: this.#names.keys.every((service) => isPermitted(user, service)),
      access: accessRows(this.#names, user, choice, (service) => ({
        isConnected: connected.has(service),
        note: asked === null ? null : askedTexts[asked.get(service) ?? 'off'],
      })),
      refused: [...(asked?.keys() ?? [])]
        .filter((service) => !isPermitted(user, service))
        .map((service) => this.#names.of(service))
        .join(', '),
      asks: askOptions(ask),
      hidden: { ...fields, [formTokenField]: token },
      otherAccount: `/authorize?${new URLSearchParams({ ...fields, prompt: 'login' }).toString()}`,
    });
    sendPage(ctx, showing.status, html, { formTargets: formTargetsOf(request.redirectUri) });
  }

  /** Whether a decision was made on the page that this browser and session were shown for this request. */
  isConsentGenuine(ctx: RouteContext, token: string, request: AuthorizationRequest, caller: Caller): boolean {
    return this.#formGuard.isGenuine(ctx, token, consentPurpose, consentBinding(request, caller));
  }

  /** Shows an error that must not be returned by redirect. */
  showError(ctx: RouteContext, error: PageError): void {
    if (error.reason === 'unknown_client') {
      sendPage(ctx, 400, this.#unknownApp, { hasScript: true });
    } else if (error.reason === 'unusable_document') {
      const text = `The app identifies itself by a document that it publishes, and this document cannot be used: ${error.message}. The app’s developers can fix this.`;
      showMessage(ctx, 400, { title: 'This app’s description cannot be used', text, link: home });
    } else {
      showMessage(ctx, 400, { ...errorTexts[error.reason], link: home });
    }
  }
}

/**
 * What a consent form is bound to. Includes the permissions: the same level for all services means for those permitted later
 * too, only as long as the page offered every permitted service.
 */
function consentBinding(request: AuthorizationRequest, { session, user }: Caller): readonly string[] {
  const { userId, issuedAt, sessionId = String(issuedAt) } = session;
  return [String(userId), sessionId, user.permissions.join(' '), ...Object.values(carriedFields(request))];
}
