/** The minimum length of a secret that is searched for: shorter ones would match in any text. */
const minSecretLength = 8;
const redaction = '[redacted]';

/** Returns the forms in which secrets may appear in a text: as they are, in a URL, and in JSON. */
export function spellingsOf(secrets: readonly string[]): readonly string[] {
  const spelled = secrets
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  return [...new Set(spelled)];
}

/** Redacts secrets, given by `spellingsOf`, in a text. */
export function redacted(text: string, spellings: readonly string[]): string {
  return spellings.reduce((left, spelling) => left.replaceAll(spelling, redaction), text);
}

/** Redacts what may be a token: 24 or more characters of one, with a digit among them. */
export function withoutTokens(text: string): string {
  return text.replace(/[\w~+=-]{24,}/g, (word) => (/\d/.test(word) ? redaction : word));
}
