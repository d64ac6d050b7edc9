import type { Provider } from '#adapters/services/provider.ts';
import { vaultDialects, vaultExtra } from '#adapters/services/vault/dialect.ts';
import { operations } from '#adapters/services/vault/operations.ts';

/** The vault, in the dialect that was set. A real one is known to leave some requests unanswered: the time-out is short. */
export function vaultProvider(dialect: keyof typeof vaultDialects): Provider {
  return {
    service: 'vault',
    operations,
    dialect: vaultDialects[dialect],
    oauth: null,
    extra: vaultExtra,
    probe: 'commands.list',
    versionPrefixes: [],
    timeoutMs: 15_000,
    maxBytes: 64 * 1024 * 1024,
  };
}
