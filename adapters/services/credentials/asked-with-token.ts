import { jsonOf } from '#adapters/services/webhooks/webhook-signature.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

const bounds = { timeoutMs: 10_000, maxBytes: 1_048_576 };

/** Asks a provider about the account of a token, before its connection is stored; undefined unless it answers in JSON. */
export async function askedWithToken(http: HttpClient, url: string, accessToken: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
  const answer = await http.send({ method: 'GET', url, headers, ...bounds }, { tries: 2, withinMs: 2_000 });
  return answer.kind === 'answer' && answer.status === 200 ? jsonOf(answer.body) : undefined;
}
