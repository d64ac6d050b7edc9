import type { CheckSetup, ServiceSetup, SetupFinding } from '#adapters/contracts/setup-guides.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { genuine, hiddenFor } from '#adapters/http/people/person-forms.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import type { KnownBrowsers } from '#adapters/http/requests/known-browsers.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import { shownSettings } from '#adapters/http/setup/entered-settings.ts';
import { floorPurpose, floorRows } from '#adapters/http/setup/floor-routes.ts';
import {
  providerSettingsRoutes,
  type SetupNotice,
  setupPurpose,
} from '#adapters/http/setup/provider-settings-routes.ts';
import { setupPage, setupServicePage } from '#adapters/http/setup/setup-pages.ts';
import type { SignInWays } from '#adapters/http/sign-in/sign-in-ways.ts';
import type { ApprovalFloors } from '#application/approvals/approval-floors.ts';
import type { Users } from '#application/ports/users.ts';
import type { RecentSignIn } from '#application/session/recent-sign-in.ts';
import type { ProviderSettings } from '#application/setup/provider-settings.ts';
import { awaitsRestart } from '#application/setup/vendor-choice.ts';
import type { AutomationUser } from '#application/users/automation-user.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** The dependencies of the routes; `setups` are the services as configured. */
type SetupRoutesDependencies = Readonly<{
  setups: () => readonly ServiceSetup[];
  check: CheckSetup;
  names: ServiceNames;
  formGuard: FormGuard;
  baseUrl: string;
  automation: AutomationUser;
  /** What administrators have every app ask first. */
  floors: Pick<ApprovalFloors, 'floor'>;
  /** What administrators entered for the providers. */
  settings: Pick<ProviderSettings, 'entered' | 'change'>;
  recent: RecentSignIn;
  knownBrowsers: KnownBrowsers;
  users: Pick<Users, 'find'>;
  /** The path of the file that has the environment's settings, whether it is there or not. */
  envFile: string;
  ways: SignInWays;
}>;

/** What the page shows of a form that was sent. */
type Shown = Readonly<{ findings?: readonly SetupFinding[]; notice?: SetupNotice }>;

/** Serves the page /setup, one below it for each service, and the check of a service (PAGE-020, PAGE-022). */
export function setupRoutes(dependencies: SetupRoutesDependencies): readonly Route[] {
  const { setups, check, names, formGuard, baseUrl, automation, floors, recent, users, envFile, ways } = dependencies;
  const list = async (ctx: RouteContext): Promise<void> => {
    const warning = await automation.reasonToWait();
    const user = { id: automation.id, email: (await automation.find())?.email ?? null, warning };
    const floor = floorRows(floors.floor, names);
    const hidden = hiddenFor(ctx, formGuard, floorPurpose);
    showPage(ctx, 'setup', { ...setupPage(setups(), names), automation: user, floor, hidden });
  };
  const show = async (ctx: RouteContext, { findings, notice }: Shown): Promise<void> => {
    const setup = setupIn(ctx, setups());
    const guide = setup?.guides.find(({ dialect }) => dialect === vendorIn(ctx, setup));
    if (setup === undefined || guide === undefined) return unknown(ctx);
    const { timeZone = null } = userOf(ctx);
    const page = setupServicePage(setup, guide, {
      baseUrl,
      hidden: hiddenFor(ctx, formGuard, setupPurpose),
      findings: findings ?? null,
      settings: await shownSettings(setup, dependencies.settings.entered, users),
      isRecent: await recent.isRecent(userOf(ctx)),
      envFile,
      ways,
      timeZone,
      notice: notice ?? (ctx.query['done'] === 'saved' ? savedText(setup) : null),
    });
    showPage(ctx, 'setup-service', page, { status: notice?.status ?? 200 });
  };
  const tried = async (ctx: RouteContext): Promise<void> => {
    const setup = setupIn(ctx, setups());
    if (setup === undefined) return unknown(ctx);
    await show(ctx, { findings: await check(userOf(ctx), setup.service) });
  };
  const ours = { who: 'person', permission: 'administrator' } as const;
  const page = { ...ours, method: 'GET', body: 'none' } as const;
  return [
    { ...page, path: '/setup', run: list },
    { ...page, path: '/setup/:service', run: (ctx) => show(ctx, {}) },
    {
      ...ours,
      method: 'POST',
      body: 'form',
      path: '/setup/:service/check',
      run: genuine(formGuard, setupPurpose, tried),
    },
    ...providerSettingsRoutes({ ...dependencies, show: (ctx, notice) => show(ctx, { notice }) }),
  ];
}

function savedText({ choice }: ServiceSetup): SetupNotice {
  const text = awaitsRestart(choice) ? 'Saved. Restart the server to use it.' : 'Saved. It is used from now on.';
  return { kind: 'good', text, status: 200 };
}

function setupIn(ctx: RouteContext, setups: readonly ServiceSetup[]): ServiceSetup | undefined {
  return setups.find(({ service }) => service === parameterOf(ctx, 'service'));
}

/**
 * The dialect that the page is about: the one in the query, else the configured one; a service's first vendor while no
 * dialect is usable.
 */
function vendorIn(ctx: RouteContext, { dialect, given, guides, choice }: ServiceSetup): string {
  const { vendor } = ctx.query;
  if (typeof vendor === 'string') return vendor;
  const sent = ctx.method === 'POST' ? fieldOf(formFields(ctx), 'vendor') : '';
  if (sent !== '') return sent;
  if (awaitsRestart(choice)) return choice.next[0] ?? dialect;
  const current = guides.find((guide) => guide.dialect === dialect);
  const isSpoken = current?.settings.every(({ need, name }) => need !== 'speech' || given.has(name)) === true;
  return isSpoken ? dialect : (guides[0]?.dialect ?? dialect);
}

function unknown(ctx: RouteContext): void {
  refuse(ctx, { status: 404, error: 'not_found', description: 'This server has no service or provider of that name.' });
}
