import { isLoopback } from '#bootstrap/config/is-loopback.ts';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { commandLine } from '#infrastructure/program/command-line.ts';

/** The facts in the banner; a generated first password is shown only this once. */
export type BannerFacts = Readonly<{ version: string; takesPasswords: boolean }> &
  Pick<RunningPortolan, 'baseUrl' | 'host' | 'port' | 'adminEmail' | 'firstPassword' | 'notes'>;

/**
 * Builds the text printed when the server is ready: its URL, how to sign in, where the notes are, and how to connect a
 * client.
 */
export function banner(facts: BannerFacts): string {
  const { version, takesPasswords, baseUrl, host, port, adminEmail, firstPassword, notes } = facts;
  const mcp = `${baseUrl}/message`;
  const link = `${commandLine('user')} link ${adminEmail}`;
  const others = takesPasswords ? [] : [`${link}   (without single sign-on)`];
  const signIn =
    firstPassword === null
      ? [`${baseUrl}/login`, ...others]
      : [`${baseUrl}/login`, `e-mail    ${adminEmail}`, `password  ${firstPassword}   (shown only once)`];
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Home', [`${baseUrl}/floki/index`]],
    ...(isThere(baseUrl, host, port) ? [] : [['Listens', [`http://${inUrl(host)}:${port}`]] as const]),
    ['Sign in', signIn],
    ['MCP', [mcp, `${baseUrl}/sse   (clients of the older transport)`]],
    ['Notes', [notes]],
    [
      'Connect',
      [
        `claude mcp add --transport http portolan ${mcp}`,
        'claude mcp login portolan',
        `codex mcp add portolan --url ${mcp}`,
        'codex mcp login portolan',
        `Cursor, VS Code: {"url": "${mcp}"} in their mcp.json`,
      ],
    ],
    ['Stop', ['Ctrl-C']],
  ];
  const lines = rows.flatMap(([label, texts]) =>
    texts.map((text, index) => `  ${(index === 0 ? label : '').padEnd(9)} ${text}`),
  );
  return ['', `  Portolan ${version} is ready`, '', ...lines, '', ''].join('\n');
}

/** Whether the base URL points directly at the port; false behind a proxy. */
function isThere(baseUrl: string, host: string, port: number): boolean {
  const url = new URL(baseUrl);
  const isSameHost =
    url.hostname === inUrl(host) || (isLoopback(url.hostname.replace(/^\[|\]$/g, '')) && isLoopback(host));
  return url.protocol === 'http:' && isSameHost && Number(url.port || 80) === port;
}

/** Formats a host for a URL: IPv6 in brackets. */
function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
