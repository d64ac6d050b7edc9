import type { TokenRecord } from '#domain/tokens/token-record.ts';

/**
 * A request of a live check, with the credentials of the connection. `path` includes the query; `tokenIn` is a query
 * parameter that carries the token in place of the usual credentials. With `document` it is a GraphQL query.
 */
export type LiveRequest = Readonly<{ path: string; tokenIn?: string; document?: string }>;

/** The answer to it; `body` is the parsed JSON, null when it is not JSON. */
export type LiveAnswer = Readonly<{ status: number; headers: Readonly<Record<string, string>>; body: unknown }>;

/** Sends a request that only reads. Throws when there is no answer. */
export type LiveAsk = (request: LiveRequest) => Promise<LiveAnswer>;

/**
 * A question about a vendor's API that its documents leave open, and how a connection finds the answer by reading. The
 * answer is one line for people, without values of records.
 */
export type LiveCheck = Readonly<{
  question: string;
  ask(ask: LiveAsk, connection: Pick<TokenRecord, 'authMethod'>): Promise<string>;
}>;

/** The question which limits an answer states, asked of one request. */
export function limitHeaders(request: LiveRequest): LiveCheck {
  return {
    question: 'Which headers state its limits?',
    ask: async (ask) => {
      const { status, headers } = await ask(request);
      const named = Object.entries(headers).filter(([name]) => /limit|retry|credit|complexity|quota|daily/.test(name));
      const said = named.map(([name, value]) => `${name}: ${/^[\d.]{1,20}$/.test(value) ? value : '…'}`).toSorted();
      return `${said.length === 0 ? 'none' : said.join(', ')} (it answered ${status})`;
    },
  };
}
