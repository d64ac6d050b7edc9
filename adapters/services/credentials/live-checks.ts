import type { LiveAsk } from '#adapters/services/credentials/live-check.ts';
import { bodyOf } from '#adapters/services/credentials/token-request.ts';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import { messageOf } from '#domain/shared/error-text.ts';
import { redacted, spellingsOf } from '#domain/text/redacted.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

/** A question with the vendor's answer. */
export type LiveResult = Readonly<{ question: string; answer: string }>;

const timeoutMs = 30_000;
const maxBytes = 4 * 1024 * 1024;
const maxAnswer = 300;

/** Asks all questions of a connection's vendor. An error is the answer to its question and does not affect the others. */
export async function liveResults(
  { dialect, checks = [] }: Provider,
  record: TokenRecord,
  http: Pick<HttpClient, 'send'>,
): Promise<readonly LiveResult[]> {
  const secrets = spellingsOf([record.accessToken, record.refreshToken ?? '']);
  const ask = asking(dialect, record, http);
  const results: LiveResult[] = [];
  for (const check of checks) {
    const answer = await check.ask(ask, record).catch((error: unknown) => `unknown: ${messageOf(error)}`);
    const line = redacted(answer, secrets).replace(/\p{Cc}+/gu, ' ');
    results.push({ question: check.question, answer: line.slice(0, maxAnswer) });
  }
  return results;
}

function asking(dialect: Provider['dialect'], record: TokenRecord, http: Pick<HttpClient, 'send'>): LiveAsk {
  return async ({ path, tokenIn, document }) => {
    const url = new URL(`${dialect.baseUrl(record) ?? ''}${path}`);
    const { headers = {}, query = {} } =
      tokenIn === undefined ? dialect.credentials(record) : { query: { [tokenIn]: record.accessToken } };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    if (document !== undefined && !/^query\b/.test(document)) throw new Error('A live check only reads.');
    const answer = await http.send({
      method: document === undefined ? 'GET' : 'POST',
      url: url.href,
      headers: {
        ...dialect.headers,
        accept: 'application/json',
        ...headers,
        ...(document === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(document === undefined ? {} : { body: JSON.stringify({ query: document }) }),
      timeoutMs,
      maxBytes,
      trust: dialect.trust(record),
    });
    if (answer.kind === 'error') throw new Error(answer.message);
    return { status: answer.status, headers: answer.headers, body: bodyOf(answer) };
  };
}
