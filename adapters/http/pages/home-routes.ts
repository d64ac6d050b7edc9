import { type FormGuard, formTokenField } from '#adapters/http/middleware/form-guard.ts';
import { sendPage } from '#adapters/http/pages/send-page.ts';
import { signOutBinding } from '#adapters/http/pages/sign-in-routes.ts';
import { renderTemplate } from '#adapters/http/pages/templates.ts';
import { type Route, type RouteContext, userOf } from '#adapters/http/route.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { guestUserId } from '#domain/users/user.ts';

/** The home of somebody who is signed in: /floki/index. */
export function homeRoutes({
  baseUrl,
  formGuard,
  names,
}: Readonly<{ baseUrl: string; formGuard: FormGuard; names: ServiceNames }>): Route[] {
  const mcpUrl = `${baseUrl}/message`;
  const clients = clientHints(mcpUrl);
  const home = (ctx: RouteContext): void => {
    const user = userOf(ctx);
    const hidden = [[formTokenField, formGuard.tokenFor(ctx, 'logout', signOutBinding(user.id))]];
    const permissions = user.permissions.map((service) => names[service]).join(', ');
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
  return [{ method: 'GET', access: 'protected', body: 'none', path: '/floki/index', run: home }];
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
