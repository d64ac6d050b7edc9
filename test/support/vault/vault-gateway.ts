import type { NoteChange } from '#adapters/contracts/changes.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { onlyTokens, tokenRecord } from '#test/support/connections/token-record.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { type VaultOptions, vaultProvider } from '#test/support/services/providers.ts';
import { apiKey, openTestVault, type TestVault } from '#test/support/vault/embedded-vault-server.ts';

/** The vault's operations over real sockets, or within the process when the vault has none, against the embedded vault in a temporary folder, or the one that is given. */
export async function openVaultGateway(
  dialect: 'neutral' | 'obsidian' = 'neutral',
  given?: TestVault,
  options: VaultOptions = {},
) {
  const vault: TestVault = given ?? (await openTestVault());
  const record: TokenRecord = tokenRecord('vault', {
    accessToken: apiKey,
    extra: vault.url === '' ? { embedded: true } : { base_url: vault.url, verify_ssl: true },
  });
  const http = new HttpClient(() => 0);
  const tokens = onlyTokens(record);
  const changes: NoteChange[] = [];
  const onNoteChange = (change: NoteChange): void => void changes.push(change);
  const gateway = operationsOver({
    providers: [{ ...vaultProvider(dialect, options), local: vault.local }],
    tokens,
    http,
    onNoteChange,
  });
  return {
    vault,
    gateway,
    /** The notes that were reported as changed, in order. */
    changes,
    call: (name: string, input: unknown): Promise<Outcome> =>
      gateway.call({ userId: 1, service: 'vault', name, input }),
    close: async () => {
      http.close();
      await vault.close();
    },
  };
}
