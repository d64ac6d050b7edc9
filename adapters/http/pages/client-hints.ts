/** One step in an app: its instruction, and the text to copy for it, null where there is none. */
export type ClientStep = Readonly<{ hint: string; text: string | null }>;

/** The steps in one app, in order; `isOpen` shows them unfolded. */
export type ClientHint = Readonly<{ name: string; steps: readonly ClientStep[]; isOpen: boolean }>;

const step = (hint: string, text: string | null = null): ClientStep => ({ hint, text });
const hint = (name: string, ...steps: readonly ClientStep[]): ClientHint => ({ name, steps, isOpen: false });
const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** How each app is connected to the MCP address. */
export function connectHints(mcpUrl: string): readonly ClientHint[] {
  return [
    hint(
      'Claude Code',
      step('In a terminal:', `claude mcp add --transport http portolan ${mcpUrl}`),
      step('Then sign in:', 'claude mcp login portolan'),
    ),
    hint(
      'Codex',
      step('In a terminal:', `codex mcp add portolan --url ${mcpUrl}`),
      step('Then sign in, unless it has opened the browser already:', 'codex mcp login portolan'),
    ),
    hint(
      'Claude Desktop',
      step(
        'In the configuration file (Settings, Developer, Edit Config):',
        json({ mcpServers: { portolan: { command: 'npx', args: ['mcp-remote', mcpUrl] } } }),
      ),
    ),
    hint(
      'Cursor',
      step(
        'In ~/.cursor/mcp.json, or .cursor/mcp.json of a project:',
        json({ mcpServers: { portolan: { url: mcpUrl } } }),
      ),
    ),
    hint(
      'VS Code',
      step(
        'In .vscode/mcp.json of a workspace, or by the command “MCP: Add Server”:',
        json({ servers: { portolan: { type: 'http', url: mcpUrl } } }),
      ),
    ),
  ];
}

/** How each app deletes a registration that this server does not know any more, the likeliest app first. */
export function forgetHints(mcpUrl: string): readonly ClientHint[] {
  return [
    {
      ...hint(
        'Claude Code',
        step('In a terminal, forget the old sign-in:', 'claude mcp logout portolan'),
        step('Then sign in again:', 'claude mcp login portolan'),
      ),
      isOpen: true,
    },
    hint(
      'Codex',
      step('In a terminal, forget the old sign-in:', 'codex mcp logout portolan'),
      step('Then sign in again:', 'codex mcp login portolan'),
    ),
    hint(
      'Cursor',
      step('Open Cursor Settings, then MCP, and choose Logout at this server; then Connect.'),
      step(
        'Where there is no Logout: open the command palette (Ctrl or Cmd, Shift, P) and run:',
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
      step('In a terminal, forget the old sign-in:', 'opencode mcp logout portolan'),
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
