import type { VendorGuide } from '#adapters/services/definitions/vendor.ts';

/** What to enter for the settings of the vault. */
export const settings = {
  VAULT_URL: 'The address of the notes app of the automation user, such as `https://127.0.0.1:27124`.',
  VAULT_API_KEY: 'The API key of that notes app; or, with `VAULT_PORT`, the key for local programs.',
  VAULT_VERIFY_TLS: '`off` accepts any certificate at `VAULT_URL`.',
  VAULT_WEEKS: '`iso` if weekly notes are numbered by ISO 8601.',
  VAULT_DIR: "The folder of the team's vault, if it is not the default one.",
  VAULT_PORT: "A port on which the team's vault is also served to programs on this machine.",
};

/** The setup guide for a vault without a notes app: a folder that this server serves. */
export const folderGuide: VendorGuide = {
  key: [
    "Nothing to do: the team's vault is a folder of Markdown on this server, shared by all users with the permission.",
    'Users with a vault of their own, with the same REST interface, save its address and key under Connections.',
  ],
  settings,
};
