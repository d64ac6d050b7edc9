import type {
  AppCredentials,
  AuthorizationOptions,
  GrantFailure,
  ProviderAuthorization,
  ProviderCallback,
  ProviderGrants,
} from '#application/ports/provider-grants.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Awaitable, Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** Asks for each service the grants that are its: those of some services are found out while people connect. */
export class GrantsByService implements ProviderGrants {
  readonly #usual: ProviderGrants;
  readonly #remote: ProviderGrants;
  readonly #isRemote: (service: ServiceKey) => boolean;

  constructor(usual: ProviderGrants, remote: ProviderGrants, isRemote: (service: ServiceKey) => boolean) {
    this.#usual = usual;
    this.#remote = remote;
    this.#isRemote = isRemote;
  }

  begin(service: ServiceKey, options: AuthorizationOptions): Awaitable<Result<ProviderAuthorization, GrantFailure>> {
    return this.#of(service).begin(service, options);
  }

  exchange(callback: ProviderCallback): Promise<Result<TokenRecord, GrantFailure>> {
    return this.#of(callback.service).exchange(callback);
  }

  renew(record: TokenRecord): Promise<Result<TokenRecord, GrantFailure>> {
    return this.#of(record.service).renew(record);
  }

  revoke(record: TokenRecord): Promise<boolean> {
    return this.#of(record.service).revoke(record);
  }

  renewEveryMs(record: Pick<TokenRecord, 'service' | 'extra'>): number | null {
    return this.#of(record.service).renewEveryMs(record);
  }

  renewedServices(): ReturnType<ProviderGrants['renewedServices']> {
    return [...this.#usual.renewedServices(), ...this.#remote.renewedServices()];
  }

  isReporter(service: ServiceKey, credentials: AppCredentials): boolean {
    return this.#of(service).isReporter(service, credentials);
  }

  #of(service: ServiceKey): ProviderGrants {
    return this.#isRemote(service) ? this.#remote : this.#usual;
  }
}
