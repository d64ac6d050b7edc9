import { defineVendor } from '#adapters/services/definitions/define-vendor.ts';
import { pinCertificate } from '#adapters/services/vault/details/certificate.ts';
import { givenVaultExtra } from '#adapters/services/vault/extra.ts';
import { vaultKind } from '#adapters/services/vault/kind.ts';
import { shared } from '#adapters/services/vault/neutral/dialect.ts';
import { obsidianGuide } from '#adapters/services/vault/obsidian/guide.ts';
import { obsidianOperations } from '#adapters/services/vault/obsidian/operations.ts';

const certificatePath = '/obsidian-local-rest-api.crt';

/** Obsidian, by its plugin Local REST API. */
export const obsidian = defineVendor(vaultKind, {
  name: 'obsidian',
  title: 'Obsidian',
  otherwise: 'neutral',
  operations: ({ own }) => ({
    ...obsidianOperations(Date.now, own.VAULT_WEEKS),
    'system.certificate': { path: certificatePath },
  }),
  dialect: () => ({
    ...shared,
    name: 'obsidian',
    mediaTypes: {
      markdown: 'text/markdown',
      note: 'application/vnd.olrapi.note+json',
      document_map: 'application/vnd.olrapi.document-map+json',
      patch_instruction: 'application/vnd.olrapi.patch-instruction+json',
      dql: 'application/vnd.olrapi.dataview.dql+txt',
      jsonlogic: 'application/vnd.olrapi.jsonlogic+json',
    },
  }),
  extra: givenVaultExtra,
  complete: (record, http) => pinCertificate(record, http, { path: certificatePath }),
  guide: obsidianGuide,
});
