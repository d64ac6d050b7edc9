import { parseArgs } from 'node:util';
import { startTrackerEmulator } from '#test/emulators/tracker/emulator.ts';

/* The emulated tracker alone: node bootstrap/node24.mjs test/emulators/tracker/main.ts [--port N] [--dialect linear] */

const { values } = parseArgs({
  options: { port: { type: 'string' }, dialect: { type: 'string', default: 'neutral' } },
});
const isLinear = values.dialect === 'linear';
const emulator = await startTrackerEmulator({
  dialect: isLinear ? 'linear' : 'neutral',
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
});
const { apiKey, clientId, clientSecret } = emulator.credentials;
process.stdout.write(
  `${[
    `The tracker (${isLinear ? 'linear' : 'neutral'}) is at ${emulator.url}`,
    `GraphQL ${emulator.url}/graphql · authorize ${emulator.url}/oauth/authorize · token ${emulator.url}/oauth/token`,
    `key ${apiKey} · client ${clientId} · secret ${clientSecret}`,
  ].join('\n')}\n`,
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void emulator.close());
