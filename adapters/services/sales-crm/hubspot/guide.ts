import type { VendorGuide } from '#adapters/services/definitions/vendor.ts';

/** The setup guide for the sales CRM at HubSpot. */
export const hubspotGuide: VendorGuide = {
  app: [
    'Create an app at [developers.hubspot.com](https://developers.hubspot.com/), in the developer account of your company: a project whose `app-hsmeta.json` has the authentication type `oauth`, or, if you have one, a public app of the older kind.',
    'Enter the callback address below as a redirect address.',
    'As required scopes, enter `oauth`, `crm.objects.owners.read`, and for each of `contacts`, `companies` and `deals` three: `crm.objects.contacts.read`, `crm.objects.contacts.write`, `crm.schemas.contacts.read`. As optional scopes, enter `files`, `crm.schemas.deals.write` for new pipelines and stages, and for each of `leads`, `products`, `line_items` and `goals` two: `crm.objects.leads.read`, `crm.objects.leads.write`.',
    'Upload the app, open it under **Development**, and copy **Client ID** and **Client secret** into the settings below.',
  ],
  key: [
    'A super administrator creates a private app in HubSpot: **Settings**, **Integrations**, **Private apps**, **Create a private app**, with the scopes that are listed above.',
    'Copy its access token. Its calls are the app’s own: `me` names nobody, and HubSpot’s history shows the app.',
    'Open **Connections** in Portolan, and save the token on the card of the service.',
  ],
  deliveries: [
    'Webhooks belong to the app, which has one address for all accounts. Portolan cannot set them up: HubSpot accepts that only from the app’s developers. Do it once.',
    'Enter the webhook address below as the target URL: in the project’s `webhooks-hsmeta.json` as `targetUrl`, or in an older app under **Webhooks**.',
    'Subscribe to `object.creation`, `object.deletion`, `object.merge` and `object.restore`, and to `object.propertyChange`, one for each property whose changes matter: of deals `dealname`, `amount`, `dealstage`, `closedate` and `hubspot_owner_id`, of contacts `firstname`, `lastname`, `email` and `phone`, of companies `name`, `domain` and `address`. Leads, products, notes, tasks, calls and meetings are understood, too.',
    'Portolan verifies deliveries by the client secret of the app. Set `SALES_CRM_WEBHOOK_SECRET` to it, too, if the app of the webhooks is another one.',
    'Deliveries say which record was changed, not how. Connect the automation user: Portolan reads the record over that connection.',
    'Deliveries are signed with their address: `BASE_URL` must be the address that HubSpot calls, and a proxy must not change the path.',
  ],
  settings: {
    SALES_CRM_WEBHOOK_SECRET: 'The client secret of the app whose webhooks are received, if it is not the app above.',
    SALES_CRM_ACCOUNT_IDS:
      'The ids of the accounts whose webhooks count (Hub ID), separated by commas; of all that have the app if it is not set.',
    SALES_CRM_SCOPES: 'The scopes to ask for, if they are not those of the guide.',
  },
};
