import type { VendorGuide } from '#adapters/services/definitions/vendor.ts';

/** The setup guide for the sales CRM at Pipedrive. */
export const pipedriveGuide: VendorGuide = {
  app: [
    'Sign in at [developers.pipedrive.com](https://developers.pipedrive.com/). You create the app in a free developer sandbox account, and can use it in any account.',
    'Open your profile at the top right, then **Developer Hub**, **Create an app**, **Create private app**.',
    'Under **Basic info**, enter a name and the callback address below, and save.',
    'Under **OAuth & access scopes**, tick full access to deals, contacts, leads, activities, products, goals, projects and webhooks, read access to users’ data, search for all data, and administer account. Save.',
    'Copy **Client ID** and **Client secret** from the same tab into the settings below.',
    'Make the app live, so that people of your company can authorize it.',
  ],
  key: [
    'In Pipedrive, open your profile at the top right, then **Personal preferences**, **API**, and copy the personal API token.',
    'Open **Connections** in Portolan, and save it on the card of the service.',
  ],
  deliveries: [
    'Choose a user name and a password, and set `SALES_CRM_WEBHOOK_SECRET` to both, joined by a colon: `hooks:a-long-password`.',
    'Connect the automation user. Portolan then registers the webhooks.',
    'With `WEBHOOK_REGISTRATION=off`, create the webhooks yourself: **Settings**, **Tools and apps**, **Webhooks**, one each for changed deals, persons and organizations, with the webhook address below and the user name and password as HTTP authentication.',
  ],
  settings: {
    SALES_CRM_WEBHOOK_SECRET: 'The user name and password that deliveries send, joined by a colon.',
    SALES_CRM_SCOPES: 'Not needed: the scopes are set in the Developer Hub.',
  },
};
