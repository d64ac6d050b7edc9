import type { Page } from 'playwright-core';

/** A page to look at: its address, and what is on it that cannot be left out. Who signs in is the administrator. */
export type ListedPage = Readonly<{
  /**
   * `{invitation}` in it is the link of somebody who was invited, `{app}` the id of an app, `{waiting}` and `{refused}` those
   * of changes.
   */
  path: string;
  heading: string | RegExp;
  signedIn: boolean;
  /** What is done on that page to come to the one that is meant. */
  act?: (page: Page) => Promise<void>;
}>;

const page = (path: string, heading: string | RegExp): ListedPage => ({ path, heading, signedIn: true });
const open = (path: string, heading: string | RegExp): ListedPage => ({ path, heading, signedIn: false });

/** All pages that a browser may come to. A page that is missing here fails the test that compares them with the routes. */
export const pages: readonly ListedPage[] = [
  open('/login', 'Sign in'),
  open('/login/oidc', 'There is no single sign-on here'),
  open('/login/oidc/callback', 'There is no single sign-on here'),
  open('/authorize?client_id=unknown', 'This app is not registered here'),
  open('/page', 'Authentication Required'),
  open('{invitation}', 'Set your password'),
  page('/floki/index', 'Your Portolan'),
  page('/page', 'Your connections'),
  page('/apps', /apps/i),
  page('/apps/{app}', 'Cursor'),
  page('/approvals', 'Approvals'),
  page('/approvals/decided', 'Decided changes'),
  page('/approvals/{waiting}', /^Delete/),
  page('/approvals/{refused}', /^Delete/),
  page('/activity', /activity/i),
  page('/activity/note?path=A%20note.md', 'A note.md'),
  page('/account', /./),
  page('/audit', 'Audit log'),
  page('/users', /./),
  page('/users/1', /@/),
  page('/users/1/deactivate', /^Deactivate/),
  page('/users/1/delete', /^Delete/),
  page('/setup', 'Set up providers'),
  page('/setup/tracker', 'Tracker: Linear'),
  page('/setup/servers', 'MCP servers'),
  page('/setup/servers/wiki', 'Wiki'),
  page('/reactions', 'Reactions'),
  page('/reactions/one?path=Reactions%2FWon.md', 'Won'),
  page('/reactions/one?path=Reactions%2FBroken.md', 'Broken'),
  page('/tools/sales_crm', /./),
  page('/deliveries', 'Deliveries'),
  page('/deliveries/1', /./),
  page('/deliveries/senders', 'Senders'),
  {
    ...page('/deliveries', 'Dry run'),
    act: async (shown) => {
      await shown.getByRole('checkbox').first().check();
      await shown.getByRole('button', { name: 'Dry-run selected' }).click();
      await shown.waitForURL('**/deliveries/dry-run');
    },
  },
  page('/logout', 'Sign out'),
  page('/nothing', 'Page not found'),
];

/** Routes that answer a browser's GET with something other than a page of their own, and why. */
export const otherRoutes: Readonly<Record<string, string>> = {
  '/': 'redirects to home',
  '/set': 'a short plain text',
  '/sse': 'a stream',
  '/message': 'a stream of an MCP session',
  '/mcp': 'a stream of an MCP session',
  '/healthz': 'JSON for probes',
  '/readyz': 'JSON for probes',
  '/activity.csv': 'a file',
  '/audit.csv': 'a file',
  '/activity/change': 'needs the id of a change',
  '/welcome': 'needs the link of an invitation, which the list has',
  '/metrics': 'Prometheus text',
  '/openapi.json': 'JSON',
  '/connect/:service': 'redirects to the provider',
  '/connect/:service/callback': 'redirects to the connections',
  '/connect/:service/client': 'JSON for authorization servers',
};
