import { parseArgs } from 'node:util';
import { app } from '#test/emulators/suite-crm/accounts.ts';
import { startSuiteCrmEmulator } from '#test/emulators/suite-crm/suite-crm-emulator.ts';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '4103' }, dialect: { type: 'string', default: 'neutral' } },
});
const emulator = await startSuiteCrmEmulator({
  port: Number(values.port),
  dialect: values.dialect === 'neutral' ? 'neutral' : 'zoho',
});
process.stdout.write(
  [
    `A suite CRM listens on ${emulator.url}/{data_center}, such as ${emulator.url}/us.`,
    `A token that always works: emulated-token. OAuth at ${emulator.url}/us/oauth/v2/auth and /token,`,
    `with the client ${app.clientId} and the secret ${app.clientSecret}.`,
    '',
  ].join('\n'),
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void emulator.close());
