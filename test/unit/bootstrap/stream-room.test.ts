import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readSettings } from '#bootstrap/config/settings.ts';
import { openFileLimit, streamRoom } from '#bootstrap/stream-room.ts';

it('a server has room for as many streams as MAX_STREAMS says, 10,000 by default, and for calls beside them (RUN-040)', () => {
  expect(readSettings({}).MAX_STREAMS).toBe(10_000);
  expect(readSettings({ MAX_STREAMS: '500' }).MAX_STREAMS).toBe(500);
  for (const value of ['15', '100001', 'many'])
    expect(() => readSettings({ MAX_STREAMS: value })).toThrow('MAX_STREAMS');
  for (const openFiles of [null, 12_400, 1_000_000]) {
    expect(streamRoom(10_000, openFiles)).toEqual({ streams: 10_000, connections: 12_000, openFiles: null });
  }
});

it.each([
  [12_399, 9_999, 11_999],
  [4_096, 1_848, 3_696],
  [1_024, 312, 624],
  [64, 16, 32],
])('with %i open files it has room for %i streams of %i connections (RUN-040)', (openFiles, streams, connections) => {
  expect(streamRoom(10_000, openFiles)).toEqual({ streams, connections, openFiles });
});

it.runIf(process.platform === 'linux')('the limit of open files is read from the system (RUN-040)', () => {
  const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  expect(openFileLimit()).toBe(soft === undefined ? null : Number(soft));
});
