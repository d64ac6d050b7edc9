import { explain } from '#adapters/services/checked.ts';
import { Exchange } from '#adapters/services/exchange.ts';
import type { Provider } from '#adapters/services/provider.ts';
import type { CredentialsProbe } from '#application/ports/credentials-probe.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

const refused = failed('unauthorized', 'They do not sign in there.');

/** Tries credentials with the provider's probe row, which reads little and needs no input. A 401 is the answer, not a cause to renew. */
export class GatewayProbe implements CredentialsProbe {
  readonly #providers: ReadonlyMap<ServiceKey, Provider>;
  readonly #exchange: Exchange;
  readonly #http: HttpClient;

  constructor(providers: readonly Provider[], http: HttpClient) {
    this.#providers = new Map(providers.map((provider) => [provider.service, provider]));
    this.#http = http;
    this.#exchange = new Exchange(http, { find: async () => err(refused), renew: async () => err(refused) });
  }

  /** The record as it is to be tried and kept: with what its provider tells without credentials (`Provider.complete`). */
  async complete(record: TokenRecord): Promise<Result<TokenRecord, Failure>> {
    const provider = this.#providers.get(record.service);
    const isFit = provider?.extra === undefined || provider.extra.safeParse(record.extra).success;
    return isFit && provider?.complete !== undefined ? provider.complete(record, this.#http) : ok(record);
  }

  async probe(record: TokenRecord): Promise<Outcome> {
    const provider = this.#providers.get(record.service);
    const row = provider?.operations[provider.probe];
    if (provider === undefined || row?.kind !== 'request') throw new Error(`No probe for ${record.service}.`);
    const extra = provider.extra?.safeParse(record.extra);
    if (extra?.success === false) return failed('invalid_input', `\`extra\` does not fit: ${explain(extra.error)}`);
    return this.#exchange.send({ provider, record, row, inputs: row.input.parse({}) });
  }
}
