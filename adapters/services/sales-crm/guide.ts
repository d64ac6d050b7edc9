import type { VendorGuide } from '#adapters/services/service.ts';

/** The setup guide for the sales CRM at Pipedrive. */
export const pipedriveGuide: VendorGuide = {
  app: [
    'Sign in at [developers.pipedrive.com](https://developers.pipedrive.com/). Apps are made in a developer sandbox account, which is free, and used in any other.',
    'Open your profile at the top right, then **Developer Hub**, **Create an app**, **Create private app**.',
    'Under **Basic info**, give a name and the callback address below, and save.',
    'Under **OAuth & access scopes**, tick full access to deals, contacts, leads, activities, products, projects and webhooks, and administer account. Save.',
    'Copy **Client ID** and **Client secret** from the same tab into the settings below.',
    'Make the app live, so that people of your own company can allow it.',
  ],
  key: [
    'In Pipedrive, open your profile at the top right, then **Personal preferences**, **API**, and copy the personal API token.',
    'Open Connections here, and save it on the card of the service.',
  ],
  deliveries: [
    'Think of a user name and a password, and set `SALES_CRM_WEBHOOK_SECRET` to both, joined by a colon: `hooks:a-long-password`.',
    'That is all: once the automation user is connected, the webhooks are registered from here.',
    'With `WEBHOOK_REGISTRATION=off` make them by hand: **Settings**, **Tools and apps**, **Webhooks**, one each for changed deals, persons and organizations, with the webhook address below, and with the user name and the password for HTTP authentication.',
  ],
  settings: {
    SALES_CRM_WEBHOOK_SECRET: 'A user name and a password, joined by a colon, that deliveries come with.',
    SALES_CRM_SCOPES: 'Not needed: the app has its scopes from the Developer Hub.',
  },
};
