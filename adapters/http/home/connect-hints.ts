/**
 * One step in an app: its instruction; the text to copy, null where there is none; and the link that does it directly,
 * null where the app has none.
 */
export type ClientStep = Readonly<{
  hint: string;
  text: string | null;
  link: Readonly<{ href: string; text: string }> | null;
}>;

/** The steps in one app, in order; `isOpen` shows them expanded. */
export type ClientHint = Readonly<{ name: string; steps: readonly ClientStep[]; isOpen: boolean }>;

/** Builds a step with or without a text to copy. */
export const step = (hint: string, text: string | null = null): ClientStep => ({ hint, text, link: null });

/** Builds the steps of an app, collapsed. */
export const hint = (name: string, ...steps: readonly ClientStep[]): ClientHint => ({ name, steps, isOpen: false });

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** A step done by a link, for an app on the same computer as the browser. */
const linkStep = (text: string, href: string): ClientStep => ({
  hint: 'If it is installed on this computer:',
  text: null,
  link: { href, text },
});

/** How to connect each app to the MCP address, and its command to sign in. */
export function connectHints(mcpUrl: string): readonly ClientHint[] {
  const vsCode = encodeURIComponent(JSON.stringify({ name: 'portolan', type: 'http', url: mcpUrl }));
  const cursor = encodeURIComponent(base64({ url: mcpUrl }));
  return [
    hint(
      'Claude Code',
      step('In a terminal:', `claude mcp add --transport http portolan ${mcpUrl}`),
      step('Then sign in:', 'claude mcp login portolan'),
    ),
    hint(
      'Claude Desktop',
      step(
        'In the configuration file (Settings, Developer, Edit Config):',
        json({ mcpServers: { portolan: { command: 'npx', args: ['mcp-remote', mcpUrl] } } }),
      ),
      step('Then restart the app: it opens your browser so that you can sign in.'),
    ),
    hint(
      'Cursor',
      linkStep('Add to Cursor', `cursor://anysphere.cursor-deeplink/mcp/install?name=portolan&config=${cursor}`),
      step(
        'Or in ~/.cursor/mcp.json, or .cursor/mcp.json of a project:',
        json({ mcpServers: { portolan: { url: mcpUrl } } }),
      ),
      step('Then sign in: Cursor Settings, MCP, and “Connect” next to portolan.'),
    ),
    hint(
      'VS Code',
      linkStep('Add to VS Code', `vscode:mcp/install?${vsCode}`),
      step(
        'Or in .vscode/mcp.json of a workspace, or by the command “MCP: Add Server”:',
        json({ servers: { portolan: { type: 'http', url: mcpUrl } } }),
      ),
      step('Then sign in: start the server from “MCP: List Servers”, and allow it to open your browser.'),
    ),
    hint(
      'Codex',
      step('In a terminal:', `codex mcp add portolan --url ${mcpUrl}`),
      step('Then sign in, unless it has opened the browser already:', 'codex mcp login portolan'),
    ),
    hint(
      'opencode',
      step(
        'In opencode.json of a project, or ~/.config/opencode/opencode.json:',
        json({ mcp: { portolan: { type: 'remote', url: mcpUrl } } }),
      ),
      step('Then sign in:', 'opencode mcp auth portolan'),
    ),
    hint(
      'ChatGPT, and other apps',
      step('Add an MCP server or connector in the app’s settings, with this address:', mcpUrl),
      step('If it asks how to sign in, choose OAuth; it needs no client id or secret from you.'),
      step('A web app can reach this server only at a public https address.'),
    ),
  ];
}
