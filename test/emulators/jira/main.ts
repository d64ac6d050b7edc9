import { parseArgs } from 'node:util';
import { credentials, startJiraEmulator } from '#test/emulators/jira/emulator.ts';

/* The emulated Jira alone: node bootstrap/node24.mjs test/emulators/jira/main.ts [--port N] */

const { values } = parseArgs({ options: { port: { type: 'string' } } });
const emulator = await startJiraEmulator(values.port === undefined ? {} : { port: Number(values.port) });
const { clientId, clientSecret, apiToken, site } = credentials;
process.stdout.write(
  `${[
    `Jira is at ${emulator.url}`,
    `authorize ${emulator.authorizeUrl} · token ${emulator.tokenUrl}`,
    `token ${apiToken} of ${site} · client ${clientId} · secret ${clientSecret}`,
  ].join('\n')}\n`,
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void emulator.close());
