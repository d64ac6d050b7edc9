import { startHubSpotEmulator } from '#test/emulators/hubspot/emulator.ts';
import { hubspotApp } from '#test/emulators/hubspot/oauth.ts';

// Runs a HubSpot account on a fixed port, for trying a server by hand: node bootstrap/node24.mjs test/emulators/hubspot/main.ts [port]
const { url, authorizeUrl, tokenUrl } = await startHubSpotEmulator({ port: Number(process.argv[2] ?? 4105) });
process.stdout.write(
  [
    'SALES_CRM_DIALECT=hubspot',
    `SALES_CRM_URL=${url}`,
    `SALES_CRM_AUTHORIZE_URL=${authorizeUrl}`,
    `SALES_CRM_TOKEN_URL=${tokenUrl}`,
    `SALES_CRM_CLIENT_ID=${hubspotApp.clientId}`,
    `SALES_CRM_CLIENT_SECRET=${hubspotApp.clientSecret}`,
    '',
  ].join('\n'),
);
