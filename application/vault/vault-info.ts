/** The version of the vault's interface, as reported by `GET /`; independent of Portolan's version. */
export const interfaceVersion = '1.0.0';

/** What the vault reports about itself, and whether the caller brought its key. */
export const vaultInfo = (isAuthenticated: boolean) => ({
  status: 'OK',
  manifest: { id: 'embedded-vault', name: 'Embedded vault', version: interfaceVersion },
  versions: { vault: interfaceVersion, self: interfaceVersion },
  service: 'Portolan embedded vault',
  authenticated: isAuthenticated,
});
