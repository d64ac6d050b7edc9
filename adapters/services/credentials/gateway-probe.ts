import type { Provider } from '#adapters/services/definitions/provider.ts';
import { vendorNamed } from '#adapters/services/definitions/vendor-named.ts';
import { providerFor } from '#adapters/services/gateway.ts';
import { ConnectionLimits } from '#adapters/services/limits/connection-limits.ts';
import { clientFor, type MayReachPrivate, outOfReach } from '#adapters/services/requests/given-address.ts';
import { OperationSender } from '#adapters/services/requests/operation-sender.ts';
import type { CredentialsProbe } from '#application/ports/credentials-probe.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { isTeams, type TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

const refused = failed('unauthorized', 'The credentials are not accepted there.');

/** The attempts of a probe and their time limits, in ms: a user is waiting for the form's response. */
const retries = { tries: 2, withinMs: 2_000 };
const timeoutMs = 10_000;

/** The options that a probe shares with the gateway. */
type ProbeOptions = Readonly<{ limits?: ConnectionLimits; mayReachPrivate?: MayReachPrivate }>;

/** Tests credentials with the provider's probe row, which reads little and needs no input. */
export class GatewayProbe implements CredentialsProbe {
  readonly #providers: ReadonlyMap<ServiceKey, Provider>;
  readonly #sender: OperationSender;
  readonly #http: HttpClient;
  readonly #mayReachPrivate: MayReachPrivate;

  /** `limits`: the rate limits to count probes against, shared with all other requests of a connection. */
  constructor(
    providers: readonly Provider[],
    http: HttpClient,
    { limits = new ConnectionLimits(), mayReachPrivate = async () => true }: ProbeOptions = {},
  ) {
    this.#http = http;
    this.#mayReachPrivate = mayReachPrivate;
    this.#providers = new Map(providers.map((provider) => [provider.service, provider]));
    this.#sender = new OperationSender(http, { limits, retries, mayReachPrivate });
  }

  /**
   * Completes the record for testing and storing with what its provider tells
   * (`Provider.complete`). A failure when its owner may not reach its address: nothing is sent there.
   */
  async complete(record: TokenRecord): Promise<Result<TokenRecord, Failure>> {
    const provider = this.#providerFor(record);
    const isFit = provider?.extra === undefined || provider.extra.safeParse(record.extra).success;
    if (provider === undefined || !isFit) return ok(record);
    const client = await clientFor(provider, record, { http: this.#http, mayReachPrivate: this.#mayReachPrivate });
    if (!client.ok) return client;
    const refused = await outOfReach(client.value, provider, record);
    if (refused !== null) return err(refused);
    return provider.complete === undefined ? ok(record) : provider.complete(record, client.value);
  }

  async probe(record: TokenRecord): Promise<Outcome> {
    const provider = this.#providerFor(record);
    if (provider?.remote !== undefined) return provider.remote.probe(record);
    const row = provider?.probeRow ?? provider?.operations[provider.probe];
    if (provider === undefined || row?.kind !== 'request') throw new Error(`No probe for ${record.service}.`);
    const inputs = row.input.parse({});
    const local = isTeams(record) ? provider.local?.get(provider.probe) : undefined;
    const outcome = await (local?.(inputs, () => {}) ?? this.#sender.send({ provider, record, row, inputs }));
    if (outcome.ok) return outcome;
    return outcome.reason === 'unauthorized' ? refused : vendorNamed(outcome, provider);
  }

  #providerFor(record: TokenRecord): Provider | undefined {
    const service = this.#providers.get(record.service);
    if (service === undefined) return undefined;
    const provider = providerFor(service, record);
    return { ...provider, timeoutMs: Math.min(provider.timeoutMs, timeoutMs) };
  }
}
