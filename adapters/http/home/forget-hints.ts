import { type ClientHint, hint, step } from '#adapters/http/home/connect-hints.ts';

/** How to delete, in each app, a registration that this server no longer knows; the most likely app first. */
export function forgetHints(mcpUrl: string): readonly ClientHint[] {
  return [
    {
      ...hint(
        'Claude Code',
        step('In a terminal, remove the old sign-in:', 'claude mcp logout portolan'),
        step('Then sign in again:', 'claude mcp login portolan'),
      ),
      isOpen: true,
    },
    hint(
      'Codex',
      step('In a terminal, remove the old sign-in:', 'codex mcp logout portolan'),
      step('Then sign in again:', 'codex mcp login portolan'),
    ),
    hint(
      'Cursor',
      step('Open Cursor Settings, then MCP, and choose Logout for this server; then Connect.'),
      step(
        'If there is no Logout, open the command palette (Ctrl or Cmd, Shift, P) and run:',
        'Cursor: Clear All MCP Tokens',
      ),
    ),
    hint(
      'VS Code',
      step(
        'Open the command palette (Ctrl or Cmd, Shift, P), run this and choose this server:',
        'Authentication: Remove Dynamic Authentication Providers',
      ),
      step('Then start the server again from the command “MCP: List Servers”.'),
    ),
    hint(
      'opencode',
      step('In a terminal, remove the old sign-in:', 'opencode mcp logout portolan'),
      step('Then sign in again:', 'opencode mcp auth portolan'),
    ),
    hint(
      'Claude Desktop, and others over mcp-remote',
      step(
        'Quit the app, and remove what mcp-remote keeps; this signs it out of all its servers:',
        'rm -r ~/.mcp-auth',
      ),
      step('Then start the app again.'),
    ),
    hint(
      'Another app',
      step('Remove the stored sign-in of this server in the app; or remove the server, and add it again:', mcpUrl),
    ),
  ];
}
