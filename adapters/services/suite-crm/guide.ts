import type { VendorGuide } from '#adapters/services/service.ts';

/** The setup guide for the suite CRM at Zoho. */
export const zohoGuide: VendorGuide = {
  app: [
    'Sign in to the [Zoho API Console](https://api-console.zoho.com/), then **Add client**, **Server-based Applications**.',
    'Give it a name, the address of this server as its homepage, and the callback address below as its authorized redirect URI. Create it.',
    'Copy **Client ID** and **Client Secret** into the settings below.',
    'If people here have accounts in other data centres than yours (EU, IN, AU, …), open the tab **Settings** of the client, switch those on, and have them use the same credentials.',
  ],
  deliveries: [
    'Make a random text of up to 50 characters, such as by `openssl rand -hex 16`, and set `SUITE_CRM_WEBHOOK_TOKEN` to it.',
    'That is all: once the automation user is connected, the notification channels are opened from here with that token, and renewed before they end. There is nothing to click at Zoho.',
  ],
  settings: {
    SUITE_CRM_URL:
      'The address of the API, where it is another than that of the account; `{data_center}` in it stands for the data centre of the connection.',
    SUITE_CRM_WEBHOOK_TOKEN: 'A random text that deliveries repeat.',
    SUITE_CRM_WEBHOOK_ADDRESSES:
      'Addresses or ranges, comma separated, that deliveries may come from. The token is all that is checked besides.',
  },
};

/** The setup guide for a suite CRM in the neutral dialect. */
export const neutralSuiteGuide: VendorGuide = {
  settings: {
    SUITE_CRM_WEBHOOK_TOKEN: 'A random text that deliveries repeat.',
    SUITE_CRM_WEBHOOK_ADDRESSES: 'Addresses or ranges, comma separated, that deliveries may come from.',
  },
};
