import { defineService } from '#adapters/services/define-service.ts';
import { pinCertificate } from '#adapters/services/vault/details/certificate.ts';
import { changedNote } from '#adapters/services/vault/details/changed-note.ts';
import { vaultDialects } from '#adapters/services/vault/dialects.ts';
import { givenVaultExtra } from '#adapters/services/vault/extra.ts';
import { folderGuide, obsidianGuide } from '#adapters/services/vault/guide.ts';
import { explainMissing } from '#adapters/services/vault/missing.ts';
import { obsidianOperations } from '#adapters/services/vault/operations/obsidian.ts';
import { operations } from '#adapters/services/vault/operations.ts';
import { vaultSettings } from '#adapters/services/vault/settings.ts';
import { placeOf } from '#adapters/services/wire-request.ts';

/** The vault: Markdown notes. A real one is known to leave some requests unanswered, hence the short timeout. */
export const vault = defineService({
  key: 'vault',
  title: 'Vault',
  noun: 'vault',
  vendors: { obsidian: 'Obsidian' },
  guides: { obsidian: obsidianGuide, neutral: folderGuide },
  settings: vaultSettings,
  operations: ({ dialect, own }) =>
    dialect === 'obsidian' ? obsidianOperations(Date.now, own.VAULT_WEEKS) : operations,
  dialect: ({ dialect }) => vaultDialects[dialect],
  connection: {
    key: 'api_key',
    extra: givenVaultExtra,
    hasOwnAddress: true,
    probe: 'commands.list',
    complete: (record, http, { dialect }) => {
      const { path } = placeOf(operations['system.certificate'], vaultDialects[dialect]);
      return pinCertificate(record, http, { path });
    },
  },
  changedNote,
  explainMissing,
  isOpenWorld: false,
  timeoutMs: 15_000,
  retries: { tries: 2, withinMs: 2_000 },
  maxBytes: 64 * 1024 * 1024,
  instructions: {
    tools: 'vault_*',
    purpose: 'of Markdown notes',
    tips: [
      'Notes are Markdown with YAML frontmatter. Change one part with vault_note_patch or vault_frontmatter_set instead of rewriting the whole note. Paths are relative to the vault: Deals/Acme.md.',
    ],
  },
});
