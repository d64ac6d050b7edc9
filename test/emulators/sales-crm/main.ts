import { parseArgs } from 'node:util';
import { personalToken, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { app } from '#test/emulators/sales-crm/oauth.ts';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '4101' }, dialect: { type: 'string', default: 'neutral' } },
});
const dialect = values.dialect === 'pipedrive' ? 'pipedrive' : 'neutral';
const emulator = await startSalesCrmEmulator({ dialect, port: Number(values.port) });

process.stdout.write(
  [
    `The emulated sales CRM (${dialect}) listens at ${emulator.url}`,
    `SALES_CRM_URL=${emulator.url}`,
    `SALES_CRM_DIALECT=${dialect}`,
    `SALES_CRM_AUTHORIZE_URL=${emulator.authorizeUrl}`,
    `SALES_CRM_TOKEN_URL=${emulator.tokenUrl}`,
    `SALES_CRM_CLIENT_ID=${app.clientId}`,
    `SALES_CRM_CLIENT_SECRET=${app.clientSecret}`,
    `personal token: ${personalToken}`,
    '',
  ].join('\n'),
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void emulator.close());
