import { type FormGuard, formTokenField } from '#adapters/http/middleware/form-guard.ts';
import { carriedFields, choiceFields } from '#adapters/http/oauth/authorization-fields.ts';
import { consentPage, formTargetsOf } from '#adapters/http/pages/consent-page.ts';
import { loginPage } from '#adapters/http/pages/login-page.ts';
import { messagePage } from '#adapters/http/pages/message-page.ts';
import { sendPage } from '#adapters/http/pages/send-page.ts';
import type { RouteContext } from '#adapters/http/route.ts';
import type { ConnectedServices } from '#application/ports/connected-services.ts';
import type { Caller } from '#application/session/identify-caller.ts';
import type { AuthorizationRequest, PageFault } from '#domain/oauth/authorization-request.ts';
import type { GrantChoice } from '#domain/oauth/grant.ts';
import { serviceKeys } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { isPermitted } from '#domain/users/user.ts';

/** What a page is answered with beside its content. */
export type Showing = Readonly<{ status: number; banner: string | null; email?: string }>;

/** What the consent page is shown for. `choice` is what stands chosen there. */
export type Consent = Readonly<{
  request: AuthorizationRequest;
  caller: Caller;
  showing: Showing;
  choice: GrantChoice;
}>;

const faultTexts: Readonly<Record<PageFault['reason'], Readonly<{ title: string; text: string }>>> = {
  invalid_request: {
    title: 'This link is not complete',
    text: 'The app that sent you here did not say which app it is. Go back to it and connect again.',
  },
  unknown_client: {
    title: 'This app is not registered here',
    text: 'Registrations are forgotten when the server restarts. Go back to the app and connect again: it then registers anew. If it does not, remove this server from the app and add it again.',
  },
  invalid_redirect_uri: {
    title: 'This app gave an address that it did not register',
    text: 'For your safety you are not sent there. Go back to the app and connect again; if that does not help, remove this server from the app and add it again.',
  },
};

/** The pages of an authorization transaction, with their form tokens. */
export class AuthorizePages {
  readonly #formGuard: FormGuard;
  readonly #connected: ConnectedServices;
  readonly #names: ServiceNames;

  constructor(formGuard: FormGuard, connected: ConnectedServices, names: ServiceNames) {
    this.#names = names;
    this.#formGuard = formGuard;
    this.#connected = connected;
  }

  /** Nobody is signed in yet. */
  showLogin(ctx: RouteContext, request: AuthorizationRequest, { status, banner, email = '' }: Showing): void {
    const token = this.#formGuard.tokenFor(ctx, 'authorize-login', []);
    const html = loginPage({
      action: '/authorize',
      clientName: request.client.name,
      email,
      banner,
      hidden: { ...carriedFields(request), [formTokenField]: token },
    });
    sendPage(ctx, status, html, formTargetsOf(request.redirectUri));
  }

  /** Whether a login form is one of ours. */
  isLoginGenuine(ctx: RouteContext, token: string): boolean {
    return this.#formGuard.isGenuine(ctx, token, 'authorize-login', []);
  }

  /** Somebody is signed in and has to decide. */
  async showConsent(ctx: RouteContext, { request, caller, showing, choice }: Consent): Promise<void> {
    const { user } = caller;
    const connected = await this.#connected.of(user.id);
    const fields = carriedFields(request);
    const token = this.#formGuard.tokenFor(ctx, 'consent', consentBinding(request, caller));
    const html = consentPage({
      clientName: request.client.name,
      redirectUri: request.redirectUri,
      email: user.email,
      banner: showing.banner,
      choiceFields,
      services: serviceKeys
        .filter((service) => isPermitted(user, service))
        .map((service) => ({
          service,
          title: this.#names[service],
          isConnected: connected.has(service),
          isTicked: choice.services === null || choice.services.includes(service),
        })),
      isReadonly: choice.isReadonly,
      hidden: { ...fields, [formTokenField]: token },
      otherAccount: `/authorize?${new URLSearchParams({ ...fields, prompt: 'login' }).toString()}`,
    });
    sendPage(ctx, showing.status, html, formTargetsOf(request.redirectUri));
  }

  /** Whether a decision was made on the page that this browser and session were shown for this very request. */
  isConsentGenuine(ctx: RouteContext, token: string, request: AuthorizationRequest, caller: Caller): boolean {
    return this.#formGuard.isGenuine(ctx, token, 'consent', consentBinding(request, caller));
  }

  /** A fault that must not go anywhere by redirect. */
  showFault(ctx: RouteContext, { reason }: PageFault): void {
    sendPage(ctx, 400, messagePage({ ...faultTexts[reason], link: null }));
  }
}

/** The permissions are bound too: all ticks mean everything only as long as they are all that could be ticked. */
function consentBinding(request: AuthorizationRequest, { session, user }: Caller): readonly string[] {
  const { userId, issuedAt } = session;
  return [String(userId), String(issuedAt), user.permissions.join(' '), ...Object.values(carriedFields(request))];
}
