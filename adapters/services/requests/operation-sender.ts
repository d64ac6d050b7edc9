import type { NoteChange } from '#adapters/contracts/changes.ts';
import { type Provider, titleOf } from '#adapters/services/definitions/provider.ts';
import { settingOf } from '#adapters/services/definitions/service-settings.ts';
import { ConnectionLimits, connectionKey, type NoRoom } from '#adapters/services/limits/connection-limits.ts';
import { fileAnswer } from '#adapters/services/requests/file-answer.ts';
import { clientFor, type MayReachPrivate } from '#adapters/services/requests/given-address.ts';
import { openFile } from '#adapters/services/requests/open-file.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import { outcomeOf } from '#adapters/services/requests/outcome-of.ts';
import type { RowMethod } from '#adapters/services/requests/row-options.ts';
import { type Inputs, wireRequest } from '#adapters/services/requests/wire-request.ts';
import type { Departure } from '#application/ports/service-gateway.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';
import type { HttpAnswer, HttpError, HttpStream, RetryBounds } from '#infrastructure/http/http-messages.ts';

/** The options of a sender, and the listener for the notes that its requests change. */
export type OperationSenderOptions = Readonly<{
  limits?: ConnectionLimits | undefined;
  retries?: RetryBounds;
  onNoteChange?: ((change: NoteChange) => void) | undefined;
  /** Whose connections may reach private addresses; everybody's by default. */
  mayReachPrivate?: MayReachPrivate | undefined;
}>;

/** A row to send: its connection and inputs. */
export type Sending = Readonly<{
  provider: Provider;
  record: TokenRecord;
  row: RequestRow;
  inputs: Inputs;
  signal?: AbortSignal | undefined;
  departure?: Departure | undefined;
  /** The maximum number of attempts; the provider's default by default. */
  maxTries?: number | undefined;
  /** When its caller stops waiting, by `performance.now()`; unlimited by default. */
  endsAt?: number | undefined;
}>;

const usualRetries = { tries: 5, withinMs: 60_000 };

/** Sends one row with the credentials of one connection, within its limits, and reads the answer. */
export class OperationSender {
  readonly #http: HttpClient;
  readonly #limits: ConnectionLimits;
  readonly #retries: RetryBounds;
  readonly #onNoteChange: (change: NoteChange) => void;
  readonly #mayReachPrivate: MayReachPrivate;

  constructor(http: HttpClient, options: OperationSenderOptions = {}) {
    this.#http = http;
    this.#limits = options.limits ?? new ConnectionLimits();
    this.#retries = options.retries ?? usualRetries;
    this.#onNoteChange = options.onNoteChange ?? (() => {});
    this.#mayReachPrivate = options.mayReachPrivate ?? (async () => true);
  }

  /** Sends the row; returns provider and network errors as outcomes, and never throws for them. */
  async send(sending: Sending): Promise<Outcome> {
    const { provider, record } = sending;
    const { dialect } = provider;
    if (dialect.baseUrl(record) === null) {
      const variable = `${provider.prefix ?? settingOf(provider.service, '')}URL`;
      return failed(
        'not_connected',
        `${titleOf(provider)} has no address. An administrator sets ${variable} and starts the server again.`,
      );
    }
    const isGiven = (dialect.givenAddress?.(record) ?? null) !== null;
    if (!isGiven) return this.#withinLimits(sending, this.#http);
    const client = await clientFor(provider, record, { http: this.#http, mayReachPrivate: this.#mayReachPrivate });
    return client.ok ? this.#withinLimits(sending, client.value) : client.failure;
  }

  async #withinLimits(sending: Sending, client: HttpClient): Promise<Outcome> {
    const { provider, record, row, inputs, signal, endsAt } = sending;
    const { dialect } = provider;
    if (signal?.aborted === true) return limitFailure({ kind: 'cancelled' }, provider);
    const budgets = dialect.budgets?.(row, record, inputs) ?? [];
    const concurrency = dialect.concurrency?.(record) ?? null;
    // A provider without limits never waits.
    const isFree = budgets.length === 0 && concurrency === null;
    if (isFree) return this.#outcomeOf(sending, await this.#overHttp(sending, client));
    const connection = connectionKey(record);
    const noRoom = await this.#limits.take(connection, budgets, { signal, endsAt });
    if (noRoom !== null) return limitFailure(noRoom, provider);
    const send = () => this.#overHttp(sending, client);
    const result = await this.#limits.run(connection, concurrency, send, signal);
    if (result.kind === 'no_room' || result.kind === 'cancelled') return limitFailure(result, provider);
    const remaining = result.kind === 'answer' ? (provider.dialect.readBudgets?.(result) ?? []) : [];
    if (remaining.length > 0) await this.#limits.correct(connection, budgets, remaining);
    return this.#outcomeOf(sending, result);
  }

  #outcomeOf({ provider, record, row, inputs }: Sending, result: HttpAnswer | HttpStream | HttpError): Outcome {
    if (result.kind === 'stream') return fileAnswer(row, inputs, result);
    const outcome = outcomeOf(row, inputs, result, { provider, record });
    if (!outcome.ok) {
      if (outcome.reason === 'rate_limited')
        this.#limits.publishRejection(connectionKey(record), outcome.retryAfterMs ?? 0);
      return outcome;
    }
    const change = result.kind === 'answer' ? provider.changedNote?.(row, inputs, result) : undefined;
    if (change) this.#onNoteChange({ userId: record.userId, ...change });
    return outcome;
  }

  #overHttp(
    { provider, record, row, inputs, signal, departure, maxTries, endsAt }: Sending,
    client: HttpClient,
  ): Promise<HttpAnswer | HttpStream | HttpError> {
    const wire = wireRequest(row, inputs, provider.dialect, record);
    const { tries, withinMs } = provider.retries ?? this.#retries;
    const retries = {
      tries: Math.min(tries, maxTries ?? tries),
      withinMs: endsAt === undefined ? withinMs : Math.min(withinMs, endsAt - performance.now()),
    };
    const request = {
      ...wire,
      isRepeatable: isRepeatable(row, wire.method),
      timeoutMs: provider.timeoutMs,
      maxBytes: provider.maxBytes,
      trust: provider.dialect.trust(record),
      ...(signal === undefined ? {} : { signal }),
      ...(departure === undefined ? {} : { departure }),
    };
    if (row.options.answer === 'file') return openFile(client, request, retries);
    return client.send(request, retries, (answer) =>
      answer.status === 429 || row.effect === 'read' ? (provider.dialect.limitIn?.(answer) ?? null) : null,
    );
  }
}

function limitFailure(noRoom: NoRoom, provider: Provider): Failure {
  if (noRoom.kind === 'cancelled') return failed('unavailable', 'The call was cancelled.');
  const { retryAfterMs } = noRoom;
  return failed(
    'rate_limited',
    `${titleOf(provider)} allows no more requests of this kind right now. Try again later.`,
    {
      retryAfterMs,
    },
  );
}

/** Whether the request is safe to repeat: it reads, over any method, or is an idempotent PUT or DELETE. */
function isRepeatable({ effect, isIdempotent }: RequestRow, method: RowMethod): boolean {
  return effect === 'read' || (isIdempotent && (method === 'PUT' || method === 'DELETE'));
}
