import { describe, expect, it } from 'vitest';
import { hearStops } from '#bootstrap/stop/hear-stops.ts';

/** A process that is sent signals at times of its clock, in ms; its exit codes. */
function processWith() {
  const listeners: Partial<Record<string, () => void>> = {};
  const exits: number[] = [];
  let time = 0;
  const stop = hearStops({
    on: (signal, listener) => {
      listeners[signal] = listener;
    },
    exit: (code) => exits.push(code),
    now: () => time,
  });
  const send = (signal: 'SIGTERM' | 'SIGINT', at: number) => {
    time = at;
    listeners[signal]?.();
  };
  return { stop, exits, send };
}

describe('signals to stop', () => {
  it('count as one stop, however often SIGTERM arrives (RUN-022)', () => {
    const { stop, exits, send } = processWith();
    expect(stop.aborted).toBe(false);
    send('SIGTERM', 100);
    expect(stop.reason).toBe('SIGTERM');
    for (const at of [100, 105, 440, 3_000, 600_000]) send('SIGTERM', at);
    expect(exits).toEqual([]);
  });

  it('end the process at once only with a Ctrl-C at least a second after the first one (RUN-022)', () => {
    const { stop, exits, send } = processWith();
    send('SIGINT', 100);
    expect(stop.reason).toBe('SIGINT');
    send('SIGINT', 105);
    send('SIGTERM', 500);
    send('SIGINT', 1_099);
    expect(exits).toEqual([]);
    send('SIGINT', 1_100);
    expect(exits).toEqual([130]);
  });

  it('count the first Ctrl-C after a SIGTERM as the same stop (RUN-022)', () => {
    const { exits, send } = processWith();
    send('SIGTERM', 0);
    send('SIGINT', 5_000);
    expect(exits).toEqual([]);
    send('SIGINT', 6_000);
    expect(exits).toEqual([130]);
  });
});
