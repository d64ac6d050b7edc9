import type { VendorGuide } from '#adapters/services/definitions/vendor.ts';

/** The setup guide for the suite CRM at Zoho. */
export const zohoGuide: VendorGuide = {
  app: [
    'Sign in to the [Zoho API Console](https://api-console.zoho.com/), then **Add client**, **Server-based Applications**.',
    'Enter a name, the address of this server as the homepage, and the callback address below as the authorized redirect URI. Create it.',
    'Copy **Client ID** and **Client Secret** into the settings below.',
    'If some users have accounts in other data centres (EU, IN, AU, …), open the client’s **Settings** tab, switch those data centres on, and choose to use the same credentials for them.',
  ],
  deliveries: [
    'Generate a random token of at most 50 characters, for example with `openssl rand -hex 16`, and set `SUITE_CRM_WEBHOOK_TOKEN` to it.',
    'Connect the automation user. Portolan then opens the notification channels with that token, and renews them before they expire. You have nothing to do at Zoho.',
  ],
  settings: {
    SUITE_CRM_URL:
      'The address of the API, if it differs from that of the account. `{data_center}` stands for the data centre of the connection.',
    SUITE_CRM_WEBHOOK_TOKEN: 'The random token that deliveries contain.',
    SUITE_CRM_WEBHOOK_ADDRESSES:
      'Addresses or ranges, comma separated, that deliveries may come from. Without them, only the token is checked.',
  },
};
