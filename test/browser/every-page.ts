/** A page to look at: its address, and what is on it that cannot be left out. Who signs in is the administrator. */
export type ListedPage = Readonly<{ path: string; heading: string | RegExp; signedIn: boolean }>;

const page = (path: string, heading: string | RegExp): ListedPage => ({ path, heading, signedIn: true });
const open = (path: string, heading: string | RegExp): ListedPage => ({ path, heading, signedIn: false });

/** All pages that a browser may come to. A page that is missing here fails the test that compares them with the routes. */
export const pages: readonly ListedPage[] = [
  open('/login', 'Sign in'),
  open('/authorize?client_id=unknown', 'This app is not registered here'),
  open('/page', 'Authentication Required'),
  page('/floki/index', 'Your Portolan'),
  page('/page', 'Your connections'),
  page('/apps', /apps/i),
  page('/activity', /activity/i),
  page('/account', /./),
  page('/users', /./),
  page('/setup', 'Set up providers'),
  page('/setup/tracker', 'Tracker: Linear'),
  page('/reactions', /./),
  page('/tools/sales_crm', /./),
  page('/deliveries', 'Deliveries'),
  page('/deliveries/1', /./),
  page('/logout', 'Sign out'),
  page('/nothing', 'Nothing is here'),
];

/** Routes that answer a browser's GET with something other than a page of their own, and why. */
export const otherRoutes: Readonly<Record<string, string>> = {
  '/': 'redirects to home',
  '/set': 'a short plain text',
  '/sse': 'a stream',
  '/message': 'a stream of an MCP session',
  '/healthz': 'JSON for probes',
  '/readyz': 'JSON for probes',
  '/activity.csv': 'a file',
  '/welcome': 'needs the link of an invitation, and is not looked at here yet',
  '/reactions/one': 'needs a reaction of one’s own, and is not looked at here yet',
  '/metrics': 'Prometheus text',
  '/openapi.json': 'JSON',
  '/connect/:service': 'redirects to the provider',
  '/connect/:service/callback': 'redirects to the connections',
};
