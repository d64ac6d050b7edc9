/** A request to the target and its answer, as messages quote them: bounded, and without secrets. */
export type Exchange = Readonly<{ asked: string; sent: string; status: number; answered: string }>;

const maxSent = 200;
const maxAnswered = 300;
/** A shorter text is not taken for a secret, since it may stand anywhere. */
const minSecret = 8;
const maxSecrets = 2000;

const secrets = new Set<string>();
let watched: string | null = null;
let latest: Exchange | null = null;

/** Records the exchanges with a target from now on, instead of those with another. */
export function watchExchanges(baseUrl: string): void {
  watched = baseUrl;
  latest = null;
}

/** Forgets the exchanges so far: what a check quotes is its own. */
export function forgetExchanges(): void {
  latest = null;
}

/** Records an exchange, if it was one with the target. */
export function noteExchange(
  baseUrl: string,
  { asked, body }: Readonly<{ asked: string; body: string | Uint8Array | undefined }>,
  { status, text }: Readonly<{ status: number; text: string }>,
): void {
  if (baseUrl !== watched) return;
  const sent = typeof body === 'string' || body === undefined ? (body ?? '') : `${body.byteLength} bytes`;
  latest = { asked, sent: bounded(masked(sent), maxSent), status, answered: bounded(masked(text), maxAnswered) };
}

/** The exchange that ended last; null if there was none yet. */
export function latestExchange(): Exchange | null {
  return latest;
}

/** Keeps a text out of all messages from now on. */
export function keepSecret(text: string): void {
  if (text.length >= minSecret && secrets.size < maxSecrets) secrets.add(text);
}

const fields = 'access_token|refresh_token|client_secret|password|code_verifier|api_token|csrf|session';
/** In JSON, in JSON within JSON, and as Node shows a value. */
const inJson = new RegExp(`(\\b(?:${fields})\\\\?["']?\\s*:\\s*\\\\?["'])[^"'\\\\]+`, 'gi');
const inForm = new RegExp(`((?:^|[?&\\s])(?:${fields}|code)=)[^&\\s"]+`, 'gi');
const inHtml = new RegExp(`(name="(?:${fields})"[^>]*value=")[^"]+`, 'gi');

/** The text without secrets: those that are known, and what stands where secrets do. */
export function masked(text: string): string {
  const shapes = text
    .replaceAll(inJson, '$1***')
    .replaceAll(inForm, '$1***')
    .replaceAll(inHtml, '$1***')
    .replaceAll(/\b(Bearer|Basic|Suite-oauthtoken|API-Key) [\w.~+/=-]{8,}/g, '$1 ***')
    .replaceAll(/\b(code_)[\w-]{20,}/g, '$1***');
  return [...secrets].reduce((left, secret) => left.replaceAll(secret, '***'), shapes);
}

function bounded(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most)}… (${text.length} characters)` : line;
}

/** An exchange in one line. */
export function quoted({ asked, sent, status, answered }: Exchange): string {
  return `asked ${asked}${sent === '' ? '' : ` with ${sent}`}, answered ${status}${answered === '' ? '' : ` ${answered}`}`;
}

/**
 * What failures of one cause have in common. An answer that is a refusal is the cause of all that it fails; of any other answer it
 * depends on what was expected of it.
 */
export function causeOf(exchange: Exchange | null, message: string): string {
  if (exchange === null) return plain(message);
  const { asked, status, answered } = exchange;
  if (status === 404 || status === 405 || status >= 500) return `${asked} answers ${status}`;
  if (status >= 400) return `${asked} answers ${status} ${plain(answered)}`;
  return `${asked} answers ${status}: ${plain(message.split('; came ')[0] ?? message)}`;
}

/** A text without what differs from one check to the next: numbers, and quoted values. */
function plain(text: string): string {
  return text
    .replaceAll(/\d{2,}/g, '…')
    .replaceAll(/[\w-]{24,}/g, '…')
    .slice(0, 160);
}
