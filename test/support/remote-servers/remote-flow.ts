import type { RemoteClient, RemoteClients } from '#adapters/contracts/remote-clients.ts';
import { RemoteGrants } from '#adapters/mcp-client/oauth/remote-grants.ts';
import type { GrantFailure, ProviderAuthorization } from '#application/ports/provider-grants.ts';
import type { Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';

/** Where browsers come back to. */
export const redirectUri = 'https://portolan.example/connect/wiki/callback';

/** A flow of OAuth at one remote server, with what is stored on the way. */
export class RemoteFlow implements Disposable {
  readonly clients = new MemoryRemoteClients();
  readonly http = new HttpClient();
  /** The connection that there is before. */
  connected: TokenRecord | null = null;
  documentUrl: string | null = null;
  url: string;
  readonly grants: RemoteGrants;

  constructor(url: string) {
    this.url = url;
    this.grants = new RemoteGrants({
      serverOf: (service) => (service === 'wiki' ? { name: 'Wiki', url: this.url } : null),
      clients: this.clients,
      connections: {
        reload: async () =>
          this.connected === null
            ? null
            : { record: this.connected, status: { state: 'connected', since: 0, reason: null } },
      },
      http: this.http,
      clock: { now: () => 1_000 },
      documentUrlOf: () => this.documentUrl,
    });
  }

  begin(): Promise<Result<ProviderAuthorization, GrantFailure>> {
    return this.grants.begin('wiki', { userId: 1, state: 'the-state', redirectUri, extra: {} });
  }

  /** Begins, and comes back with the query. */
  async grant(query: Readonly<Record<string, string>>): Promise<Result<TokenRecord, GrantFailure>> {
    const begun = await this.begin();
    if (!begun.ok) return begun;
    return this.exchange(begun.value, query);
  }

  exchange(
    { codeVerifier, extra = {} }: ProviderAuthorization,
    query: Readonly<Record<string, string>>,
  ): Promise<Result<TokenRecord, GrantFailure>> {
    return this.grants.exchange({ userId: 1, service: 'wiki', query, redirectUri, codeVerifier, extra });
  }

  [Symbol.dispose](): void {
    this.http.close();
  }
}

/** Clients in memory, as the port says. */
export class MemoryRemoteClients implements RemoteClients {
  readonly all: RemoteClient[] = [];

  async of(service: string): Promise<readonly RemoteClient[]> {
    const found = this.all.filter((one) => one.service === service);
    return found.toSorted((left, right) => Number(left.redirectUri !== null) - Number(right.redirectUri !== null));
  }

  async keep(client: RemoteClient): Promise<void> {
    const isEntered = client.redirectUri === null;
    const at = this.all.findIndex((one) => one.service === client.service && (one.redirectUri === null) === isEntered);
    if (at !== -1) this.all.splice(at, 1);
    this.all.push(client);
  }

  async forget(service: string): Promise<void> {
    const kept = this.all.filter((one) => one.service !== service);
    this.all.splice(0, this.all.length, ...kept);
  }
}
