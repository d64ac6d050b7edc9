import type { Provider } from '#adapters/services/provider.ts';
import { pinCertificate } from '#adapters/services/vault/details/certificate.ts';
import { changedNote } from '#adapters/services/vault/details/changed-note.ts';
import { vaultDialects } from '#adapters/services/vault/dialects.ts';
import { givenVaultExtra } from '#adapters/services/vault/extra.ts';
import { obsidianOperations } from '#adapters/services/vault/operations/obsidian.ts';
import { operations } from '#adapters/services/vault/operations.ts';
import { placeOf } from '#adapters/services/wire-request.ts';
import type { Weeks } from '#domain/notes/week-of-year.ts';

/** How the vault is spoken to; `timeoutMs` is what one request may take, `now` gives Unix ms, `weeks` says how weeks are counted. */
export type VaultOptions = Readonly<{ timeoutMs?: number; now?: () => number; weeks?: Weeks }>;

/** The vault, in the dialect that was set. A real one is known to leave some requests unanswered: the time-out is short. */
export function vaultProvider(
  dialect: keyof typeof vaultDialects,
  { timeoutMs = 15_000, now = Date.now, weeks = 'sunday' }: VaultOptions = {},
): Provider {
  const { 'system.certificate': certificate } = operations;
  const { path } = placeOf(certificate, vaultDialects[dialect]);
  return {
    service: 'vault',
    vendor: dialect === 'obsidian' ? 'Obsidian' : null,
    operations: dialect === 'obsidian' ? obsidianOperations(now, weeks) : operations,
    dialect: vaultDialects[dialect],
    oauth: null,
    extra: givenVaultExtra,
    probe: 'commands.list',
    complete: (record, http) => pinCertificate(record, http, { path }),
    changedNote,
    versionPrefixes: [],
    timeoutMs,
    retries: { tries: 2, withinMs: 2_000 },
    maxBytes: 64 * 1024 * 1024,
  };
}
