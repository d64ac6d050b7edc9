import type { VendorGuide } from '#adapters/services/definitions/vendor.ts';
import { settings } from '#adapters/services/vault/neutral/guide.ts';

/** The setup guide for a vault of Obsidian. */
export const obsidianGuide: VendorGuide = {
  key: [
    'In Obsidian, open **Settings**, **Community plugins**, **Browse**, and install and enable **Local REST API**.',
    'Open the settings of the plugin, and copy its API key. Its address is `https://127.0.0.1:27124` on the computer where Obsidian runs. This server must be able to reach it.',
    'Open **Connections** in Portolan, and save both under **Connect a vault of your own**. Portolan then pins the plugin’s self-signed certificate.',
  ],
  settings,
};
