import { defineVendor } from '#adapters/services/definitions/define-vendor.ts';
import { pinCertificate } from '#adapters/services/vault/details/certificate.ts';
import { givenVaultExtra } from '#adapters/services/vault/extra.ts';
import { vaultKind } from '#adapters/services/vault/kind.ts';
import { dialect } from '#adapters/services/vault/neutral/dialect.ts';
import { folderGuide } from '#adapters/services/vault/neutral/guide.ts';
import { rows } from '#adapters/services/vault/rows.ts';

/** Any server with the vault's interface. */
export const neutral = defineVendor(vaultKind, {
  name: 'neutral',
  title: null,
  operations: {},
  otherwise: 'neutral',
  dialect: () => dialect,
  extra: givenVaultExtra,
  complete: (record, http) => pinCertificate(record, http, { path: rows['system.certificate'].path }),
  guide: folderGuide,
});
