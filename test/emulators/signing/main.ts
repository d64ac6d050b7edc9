import { parseArgs } from 'node:util';
import { sandboxKey, startSigningEmulator } from '#test/emulators/signing/emulator.ts';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '4602' }, dialect: { type: 'string', default: 'neutral' } },
});
const emulator = await startSigningEmulator({
  dialect: values.dialect === 'pandadoc' ? 'pandadoc' : 'neutral',
  port: Number(values.port),
  draftAfterMs: 3_000,
});
process.stdout.write(
  `signing service (${values.dialect}) at ${emulator.url}, API key ${sandboxKey}, client app / secret\n`,
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void emulator.close());
