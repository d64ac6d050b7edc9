/** The replacement for a secret. */
export const mask = '•••';

const secretKeys = /token|secret|password|passwd|authorization|api_?key|signature|shared_link|credential/i;

/**
 * Masks a delivery's body for display: indented JSON, with values under secret-looking keys and all occurrences of
 * `secrets` replaced. A body that is not JSON is masked entirely.
 */
export function maskedBody(body: string, secrets: readonly string[]): string {
  const spoken = secrets.filter((secret) => secret.length >= 4);
  const hide = (text: string) => spoken.reduce((shown, secret) => shown.replaceAll(secret, mask), text);
  try {
    const shown = (key: string, value: unknown): unknown => {
      if (key !== '' && secretKeys.test(key) && value !== null && value !== '') return mask;
      return typeof value === 'string' ? hide(value) : value;
    };
    return JSON.stringify(JSON.parse(body, shown), null, 2);
  } catch {
    return mask;
  }
}
