import type { VendorGuide } from '#adapters/services/service.ts';

/** The setup guide for the tracker at Linear. */
export const linearGuide: VendorGuide = {
  app: [
    'As an administrator of the workspace, open [a new OAuth application](https://linear.app/settings/api/applications/new) at Linear: **Settings**, **API**, **OAuth applications**.',
    'Give it a name, and the callback address below as its callback URL. Switch **Public** on only if people of other workspaces connect here too.',
    'Create it, and copy **Client ID** and **Client secret** into the settings below.',
  ],
  key: [
    'In Linear, open **Settings**, **Security & access**, **Personal API keys**, and create one.',
    'Open Connections here, and save it on the card of the service.',
  ],
  deliveries: [
    'Make a random text, such as by `openssl rand -hex 32`, and set `TRACKER_WEBHOOK_SECRET` to it.',
    'That is all: once the automation user is connected, an administrator of the workspace, the webhook is registered from here with that secret.',
    'With `WEBHOOK_REGISTRATION=off` make it by hand: **Settings**, **API**, **Webhooks**, a new one for issues with the webhook address below; then `TRACKER_WEBHOOK_SECRET` is the signing secret that Linear shows there.',
  ],
  settings: { TRACKER_WEBHOOK_SECRET: 'The secret that deliveries are signed with.' },
};
