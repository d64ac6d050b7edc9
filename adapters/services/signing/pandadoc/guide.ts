import type { VendorGuide } from '#adapters/services/definitions/vendor.ts';

/** The setup guide for the signing service at PandaDoc. */
export const pandadocGuide: VendorGuide = {
  app: [
    'Sign in to PandaDoc as an administrator, and open the [Developer Dashboard](https://app.pandadoc.com/a/#/api-dashboard/configuration). Your plan must include the API, and an app needs production access.',
    'Under **Configuration**, create an application with the callback address below as its redirect URL.',
    'Copy its client id and client secret into the settings below.',
  ],
  key: [
    'In the Developer Dashboard of PandaDoc, under **Configuration**, generate a key. A sandbox key is free and works on sandbox documents; a production key comes with the plan.',
    'Open **Connections** in Portolan, and save it on the card of the service. Say whether it is a sandbox or a production key.',
  ],
  deliveries: [
    'Connect the automation user. Portolan then creates the webhook and stores the shared key that PandaDoc chose for it. You have nothing to do at PandaDoc.',
    'With `WEBHOOK_REGISTRATION=off`, create the webhook yourself: in the Developer Dashboard, **Webhooks**, with the webhook address below, for documents that change their state, are updated or deleted, for completed recipients and for files that are ready. Then set `SIGNING_WEBHOOK_KEY` to its **shared key**.',
  ],
  settings: { SIGNING_WEBHOOK_KEY: 'The shared key of a webhook that you created yourself.' },
};
