import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer } from '#infrastructure/http/http-client.ts';

/** Shorter ones are found in any text. */
const shortest = 8;
const mark = '[redacted]';

/** The answer without the tokens it was asked with: a provider that repeats them would carry them into outcomes and to models. */
export function withoutSecrets(answer: HttpAnswer, { accessToken, refreshToken }: TokenRecord): HttpAnswer {
  const secrets = [accessToken, refreshToken ?? '']
    .filter((secret) => secret.length >= shortest)
    .flatMap((secret) => [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])]);
  const bytes = Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength);
  const found = secrets.filter((secret) => bytes.includes(secret));
  if (found.length === 0) return answer;
  const text = found.reduce((left, secret) => left.replaceAll(secret, mark), bytes.toString('utf8'));
  return { ...answer, body: Buffer.from(text) };
}
