import { type FormGuard, formTokenField } from '#adapters/http/middleware/form-guard.ts';
import { sendPage } from '#adapters/http/pages/send-page.ts';
import { signOutBinding } from '#adapters/http/pages/sign-in-routes.ts';
import { renderTemplate } from '#adapters/http/pages/templates.ts';
import { type Route, type RouteContext, userOf } from '#adapters/http/route.ts';
import { type ServiceKey, serviceTitles } from '#domain/services/service-key.ts';
import { guestUserId, isPermitted, type User } from '#domain/users/user.ts';

/** How a user's connection to a service stands (decisions, Connections); `reason` says why when it does not work. */
export type ShownConnection = Readonly<{
  service: ServiceKey;
  state: 'connected' | 'unchecked' | 'degraded' | 'reconnect' | 'none';
  reason: string | null;
}>;

const stateTexts: Readonly<Record<ShownConnection['state'], string>> = {
  connected: 'Connected',
  unchecked: 'Not checked yet',
  degraded: 'Trouble',
  reconnect: 'Connect again',
  none: 'Not connected',
};

/** The pages of somebody who is signed in: /floki/index and /page. `connectionsOf` tells all five services of a user. */
export function homeRoutes({
  baseUrl,
  formGuard,
  connectionsOf,
}: Readonly<{
  baseUrl: string;
  formGuard: FormGuard;
  connectionsOf: (user: User) => Promise<readonly ShownConnection[]>;
}>): Route[] {
  const mcpUrl = `${baseUrl}/message`;
  const clients = clientHints(mcpUrl);
  const home = (ctx: RouteContext): void => {
    const user = userOf(ctx);
    const hidden = [[formTokenField, formGuard.tokenFor(ctx, 'logout', signOutBinding(user.id))]];
    const permissions = user.permissions.map((service) => serviceTitles[service]).join(', ');
    const isGuest = user.id === guestUserId;
    sendPage(
      ctx,
      200,
      renderTemplate('home', {
        email: user.email,
        isGuest,
        isAdmin: user.isAdmin,
        permissions,
        hidden,
        mcpUrl,
        clients,
      }),
    );
  };
  const connections = async (ctx: RouteContext): Promise<void> => {
    const user = userOf(ctx);
    const services = (await connectionsOf(user)).map((connection) => shownService(user, connection));
    sendPage(ctx, 200, renderTemplate('connections', { services }));
  };
  const route = { method: 'GET' as const, access: 'protected' as const, body: 'none' as const };
  return [
    { ...route, path: '/floki/index', run: home },
    { ...route, path: '/page', run: connections },
  ];
}

function shownService(user: User, { service, state, reason }: ShownConnection) {
  const note = isPermitted(user, service) ? (reason ?? '') : 'You have no permission for this service.';
  return { title: serviceTitles[service], state, stateText: stateTexts[state], note };
}

function clientHints(mcpUrl: string) {
  return [
    {
      name: 'Claude Code',
      hint: 'In a terminal; then type /mcp in Claude Code and choose portolan to sign in.',
      text: `claude mcp add --transport http portolan ${mcpUrl}`,
    },
    {
      name: 'Claude Desktop',
      hint: 'In the configuration file (Settings, Developer, Edit Config).',
      text: JSON.stringify({ mcpServers: { portolan: { command: 'npx', args: ['mcp-remote', mcpUrl] } } }, null, 2),
    },
    {
      name: 'Cursor',
      hint: 'In ~/.cursor/mcp.json, or .cursor/mcp.json of a project.',
      text: JSON.stringify({ mcpServers: { portolan: { url: mcpUrl } } }, null, 2),
    },
    {
      name: 'VS Code',
      hint: 'In .vscode/mcp.json of a workspace, or by the command “MCP: Add Server”.',
      text: JSON.stringify({ servers: { portolan: { type: 'http', url: mcpUrl } } }, null, 2),
    },
  ];
}
