import type { VendorGuide } from '#adapters/services/definitions/vendor.ts';

/** The setup guide for the tracker at Linear. */
export const linearGuide: VendorGuide = {
  app: [
    'As an administrator of the workspace, open [a new OAuth application](https://linear.app/settings/api/applications/new) at Linear: **Settings**, **API**, **OAuth applications**.',
    'Enter a name, and the callback address below as the callback URL. Switch **Public** on only if people of other workspaces will connect too.',
    'Create it, and copy **Client ID** and **Client secret** into the settings below.',
  ],
  key: [
    'In Linear, open **Settings**, **Security & access**, **Personal API keys**, and create one.',
    'Open **Connections** in Portolan, and save it on the card of the service.',
  ],
  deliveries: [
    'Generate a random secret, for example with `openssl rand -hex 32`, and set `TRACKER_WEBHOOK_SECRET` to it.',
    'Connect the automation user, who must be an administrator of the workspace. Portolan then registers the webhook with that secret.',
    'With `WEBHOOK_REGISTRATION=off`, create the webhook yourself: **Settings**, **API**, **Webhooks**, for issues, with the webhook address below. Then set `TRACKER_WEBHOOK_SECRET` to the signing secret that Linear shows.',
  ],
  settings: { TRACKER_WEBHOOK_SECRET: 'The secret that deliveries are signed with.' },
};
