import { setTimeout as delay } from 'node:timers/promises';
import { beat } from '#test/faults/pulse.ts';

/*
 * Asks an address again and again, beside whatever else its parent does: says when each answer was asked for and how long it took.
 */
const [url = ''] = process.argv.slice(2);
process.on('disconnect', () => process.exit(0));
for (;;) {
  // Its parent may have ended in the meantime.
  process.send?.(await beat(url), () => undefined);
  await delay(2);
}
