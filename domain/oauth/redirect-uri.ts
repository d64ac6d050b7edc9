/** The maximum length of a redirect URI, in characters; bounds the memory of a registration. */
const maxRedirectUriLength = 2_048;

const uriCharacters = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;
const brokenEscape = /%(?![0-9A-Fa-f]{2})/;
/** A host as a URL parser returns it: a name, or an IP literal. A wildcard is no host, though parsers accept one. */
const hostName = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/;
const webUri = /^(https?):\/\/[^/?#]/i;
const loopbackUri = /^(http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/i;
/**
 * Matches a reversed domain name with at least two labels ("com.example.app:"), which RFC 8252 §7.1 requires of a
 * private-use scheme.
 */
const reversedDomain = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/;

/**
 * Schemes without a dot that may be registered because known MCP clients use them, although RFC 8252 §7.1 requires a
 * domain name. All others are rejected: they may be protocols, or system handlers that execute their argument
 * (`ms-msdt:`, `search-ms:`, `shell:`). An app that is not listed uses a loopback address, https, or its reversed
 * domain name.
 */
const knownClientSchemes: ReadonlySet<string> = new Set(
  [
    // Editors, whose scheme also serves their extensions.
    ['cursor', 'vscode', 'vscode-insiders', 'vscodium', 'code-oss', 'windsurf', 'windsurf-next', 'zed', 'zed-preview'],
    ['kiro', 'trae', 'antigravity', 'positron', 'void', 'jetbrains'],
    // Assistants, terminals and launchers.
    ['claude', 'chatgpt', 'codex', 'goose', 'warp', 'raycast', 'lmstudio', 'cherrystudio', 'obsidian'],
  ].flatMap((schemes) => schemes.map((scheme) => `${scheme}:`)),
);

/**
 * Whether a client may register the redirect URI: absolute, without fragment and user info; https, http on loopback, or
 * a private-use scheme (RFC 8252 §7) that is a reversed domain name or belongs to a known client. Only the characters
 * of RFC 3986 are allowed, so that all browsers parse it alike.
 */
export function isAllowedRedirectUri(uri: string): boolean {
  if (uri.length > maxRedirectUriLength || !uriCharacters.test(uri) || brokenEscape.test(uri)) return false;
  if (uri.includes('#') || !URL.canParse(uri)) return false;
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') {
    return webUri.test(uri) && hostName.test(url.hostname) && !authorityOf(uri).includes('@');
  }
  if (url.protocol === 'http:') return isLoopbackRedirectUri(uri);
  const isPrivateUse = reversedDomain.test(url.protocol) || knownClientSchemes.has(url.protocol);
  return isPrivateUse && uri.length > url.protocol.length && !authorityOf(uri).includes('@');
}

/**
 * Whether the URI is http on this machine: localhost or a loopback IP literal. Look-alikes such as
 * `http://localhost.example` fail.
 */
export function isLoopbackRedirectUri(uri: string): boolean {
  return loopbackUri.test(uri) && URL.canParse(uri) && isLoopbackHost(new URL(uri).hostname);
}

/** Whether a host name, as a URL parser returns it, is this machine: localhost, 127.0.0.0/8, [::1]. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Whether a requested redirect URI matches a registered one exactly, except for the port of a loopback address (RFC
 * 8252 §7.3). A client that registered none may use loopback addresses only.
 */
export function isRegisteredRedirectUri(registered: readonly string[], uri: string): boolean {
  if (!isAllowedRedirectUri(uri)) return false;
  if (registered.length === 0) return isLoopbackRedirectUri(uri);
  const portless = withoutLoopbackPort(uri);
  return registered.some((known) => known === uri || (portless !== null && withoutLoopbackPort(known) === portless));
}

/** Appends query parameters to a URI without changing those it already has. Null values are left out. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  if (given.length === 0) return uri;
  const joint = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
  return `${uri}${joint}${new URLSearchParams(given).toString()}`;
}

function withoutLoopbackPort(uri: string): string | null {
  const [, host, rest] = loopbackUri.exec(uri) ?? [];
  return host === undefined ? null : `${host.toLowerCase()}${rest ?? ''}`;
}

/** Returns the part between `//` and the path; '' when the URI has no authority. */
function authorityOf(uri: string): string {
  return /^[^/?]*:\/\/([^/?]*)/.exec(uri)?.[1] ?? '';
}
