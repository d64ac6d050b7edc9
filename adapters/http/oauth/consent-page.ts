import { renderTemplate, shownClientName } from '#adapters/http/answers/templates.ts';
import type { AccessRow } from '#adapters/http/oauth/access-fields.ts';
import type { AskOption } from '#adapters/http/oauth/ask-options.ts';
import { isLoopbackRedirectUri } from '#domain/oauth/redirect-uri.ts';

/**
 * The data of the consent page: `access` has the services that the user may use. `otherAccount` is the address of the same request with the login page.
 */
type ConsentPage = Readonly<{
  clientName: string;
  /** The host that vouches for the client by its metadata document; null for a client that registered here. */
  publisher: string | null;
  redirectUri: string;
  email: string;
  banner: string | null;
  askField: string;
  access: readonly AccessRow[];
  /** What the app asks for besides, which the user may not use; '' for nothing. */
  refused: string;
  /** Whether these are all services of this server. */
  hasAll: boolean;
  asks: readonly AskOption[];
  hidden: Readonly<Record<string, string>>;
  otherAccount: string;
}>;

/**
 * Renders the consent page: names the client, the host that receives the code, and the user (AUTH-015), and lets them
 * grant less than everything.
 */
export function consentPage(page: ConsentPage): string {
  return renderTemplate('consent', {
    ...page,
    clientName: shownClientName(page.clientName),
    destination: destinationOf(page.redirectUri),
    vouchingHost: isVouchedFor(page) ? page.publisher : null,
    isNoneChosen: page.banner !== null && page.access.every(isOff),
    hidden: Object.entries(page.hidden),
  });
}

const isOff = ({ options }: AccessRow): boolean => options.some(({ value, isChosen }) => value === 'off' && isChosen);

/**
 * The sources for `form-action`: where the client's redirect URI leads, and https, since a client may redirect further.
 * Of http only the port of the client on a loopback address, by all its names; a source cannot have an IPv6 address.
 */
export function formTargetsOf(redirectUri: string): readonly string[] {
  const { protocol, hostname, port, host } = new URL(redirectUri);
  if (protocol === 'https:') return ['https:'];
  if (protocol !== 'http:' || hostname.startsWith('[')) return ['https:', protocol];
  const at = port === '' ? '' : `:${port}`;
  const names = new Set([host, `localhost${at}`, `127.0.0.1${at}`]);
  return ['https:', ...[...names].map((name) => `http://${name}`)];
}

/**
 * Whether only the publisher can receive the code: any program on a device can listen on a loopback address or claim a
 * scheme.
 */
function isVouchedFor({ publisher, redirectUri }: ConsentPage): boolean {
  return publisher !== null && new URL(redirectUri).protocol === 'https:';
}

function destinationOf(redirectUri: string): Readonly<{ host: string; note: string }> {
  const url = new URL(redirectUri);
  if (isLoopbackRedirectUri(redirectUri)) return { host: url.host, note: 'a program on this computer' };
  if (url.protocol === 'https:') return { host: url.host, note: 'a site on the internet' };
  return { host: url.protocol, note: 'any app on this device that opens such links' };
}
