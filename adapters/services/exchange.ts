import { ConnectionLimits } from '#adapters/services/connection-limits.ts';
import { fileAnswer } from '#adapters/services/file-answer.ts';
import { isAbsent, type RequestRow } from '#adapters/services/operation-table.ts';
import { outcomeOf, type Reader } from '#adapters/services/outcome-of.ts';
import type { Provider } from '#adapters/services/provider.ts';
import { type Inputs, wireRequest } from '#adapters/services/wire-request.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import { type ServiceKey, serviceTitles } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer, HttpClient, HttpFault, HttpRequest, HttpStream } from '#infrastructure/http/http-client.ts';

/** Where a connection's credentials come from, and how they are renewed. */
export interface TokenSource {
  /** The record to call with; a failure says why there is none, and what the user can do. */
  find(userId: number, service: ServiceKey): Promise<Result<TokenRecord, Failure>>;
  /** The record to try once more with after a 401; a failure when there is none, with what to do. */
  renew(refused: TokenRecord): Promise<Result<TokenRecord, Failure>>;
}

/** A row on its way: whose it is, and what it is made with. */
export type Sending = Readonly<{
  provider: Provider;
  record: TokenRecord;
  row: RequestRow;
  inputs: Inputs;
  signal?: AbortSignal;
}>;

const retries = { tries: 5, withinMs: 60_000 };

/** Sends one row for one connection: within its limits, signed in, renewed once on 401, and reads the answer. */
export class Exchange {
  readonly #http: HttpClient;
  readonly #tokens: TokenSource;
  readonly #limits: ConnectionLimits;

  constructor(http: HttpClient, tokens: TokenSource, limits: ConnectionLimits = new ConnectionLimits()) {
    this.#http = http;
    this.#tokens = tokens;
    this.#limits = limits;
  }

  /** The outcome of the row; never throws for what a provider or a network can do wrong. */
  async send(sending: Sending): Promise<Outcome> {
    const { provider, record, row } = sending;
    const { dialect } = provider;
    const title = `The ${serviceTitles[provider.service].toLowerCase()}`;
    if (isAbsent(row, dialect)) {
      return failed('rejected', `${title} behind this server has no such operation: ${row.summary}.`);
    }
    if (dialect.baseUrl(record) === null) {
      const variable = `${provider.service.toUpperCase()}_URL`;
      return failed(
        'not_connected',
        `${title} has no address. An administrator sets ${variable} and starts the server again.`,
      );
    }
    const first = await this.#trySending(sending, title);
    if (!(!first.ok && first.reason === 'unauthorized')) return first;
    const renewed = await this.#tokens.renew(record);
    if (!renewed.ok) return renewed.failure;
    return this.#trySending({ ...sending, record: renewed.value }, title);
  }

  async #trySending(sending: Sending, title: string): Promise<Outcome> {
    const { provider, record, row, inputs, signal } = sending;
    const { dialect } = provider;
    const connection = `${record.userId}:${provider.service}`;
    const budgets = dialect.budgets?.(row, record, inputs) ?? [];
    const waitMs = await this.#limits.take(connection, budgets, signal).catch(() => cancelled);
    if (waitMs === cancelled) return failed('unavailable', 'The call was cancelled.');
    if (waitMs !== null) {
      return failed('rate_limited', `${title} allows no more requests of this kind right now. Try again later.`, {
        retryAfterMs: waitMs,
      });
    }
    const result = await this.#limits.run(connection, dialect.concurrency?.(record) ?? null, () =>
      this.#overHttp(sending),
    );
    if (result.kind === 'answer') await this.#limits.correct(connection, budgets, dialect.readBudgets?.(result) ?? []);
    const reader: Reader = { dialect, title, record };
    return result.kind === 'stream' ? fileAnswer(row, inputs, result) : outcomeOf(row, inputs, result, reader);
  }

  #overHttp({ provider, record, row, inputs, signal }: Sending): Promise<HttpAnswer | HttpStream | HttpFault> {
    const request = {
      ...wireRequest(row, inputs, provider.dialect, record),
      timeoutMs: provider.timeoutMs,
      maxBytes: provider.maxBytes,
      trust: provider.dialect.trust(record),
      ...(signal === undefined ? {} : { signal }),
    };
    return row.options.answer === 'file' ? this.#openFile(request) : this.#http.send(request, retries);
  }

  /** Providers keep files elsewhere and redirect there: one redirect is followed, without any credentials, and never to http from https. */
  async #openFile(request: HttpRequest): Promise<HttpAnswer | HttpStream | HttpFault> {
    const result = await this.#http.open(request, retries);
    if (result.kind !== 'answer' || result.status < 300 || result.status >= 400) return result;
    const place = fileAddress(result.headers['location'], request.url);
    return place === null ? result : this.#http.open({ ...request, url: place, headers: {}, trust: true }, retries);
  }
}

const cancelled = -1;

/** Where a redirect leads, when it may be followed: to https anywhere, or to the very origin that was asked. */
function fileAddress(location: string | undefined, from: string): string | null {
  if (location === undefined || !URL.canParse(location, from)) return null;
  const url = new URL(location, from);
  return url.protocol === 'https:' || url.origin === new URL(from).origin ? url.href : null;
}
