import type { VendorGuide } from '#adapters/services/service.ts';

const settings = {
  VAULT_URL: 'The address of the notes app of the automation user, such as `https://127.0.0.1:27124`.',
  VAULT_API_KEY: 'The key of that notes app; or, with `VAULT_PORT`, the key for programs.',
  VAULT_VERIFY_TLS: '`off` trusts whatever certificate is shown at `VAULT_URL`.',
  VAULT_WEEKS: '`iso` where weekly notes are numbered by ISO 8601.',
  VAULT_DIR: "The folder of the team's vault, where it is another than the usual one.",
  VAULT_PORT: "The port on which the team's vault is served to programs on this machine too.",
};

/** The setup guide for a vault of Obsidian. */
export const obsidianGuide: VendorGuide = {
  key: [
    'In Obsidian, open **Settings**, **Community plugins**, **Browse**, and install and enable **Local REST API**.',
    'Open the settings of the plugin, and copy its API key. Its address is `https://127.0.0.1:27124` on the computer where Obsidian runs, which has to be reached from this server.',
    'Open Connections here, and save both under **Connect a vault of your own**. The certificate that the plugin made itself is recognized from then on.',
  ],
  settings,
};

/** The setup guide for a vault without a notes app: a folder that this server serves. */
export const folderGuide: VendorGuide = {
  key: [
    "Nothing has to be done: the team's vault is a folder of Markdown on this server, and everybody with the permission works in it.",
    'Who has a vault of their own, with the same REST interface, saves its address and key at Connections.',
  ],
  settings,
};
