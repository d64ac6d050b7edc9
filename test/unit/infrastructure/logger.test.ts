import { prettyFactory } from 'pino-pretty';
import { describe, expect, it, vi } from 'vitest';
import { openLogger, secretNames, terminalFormat } from '#infrastructure/logging/logger.ts';

const lineOf = (fields: Record<string, unknown>): Record<string, unknown> => {
  const lines: string[] = [];
  openLogger('info', { write: (line: string) => void lines.push(line) }).info(fields, 'said');
  return JSON.parse(lines.join(''));
};

describe('a log line', () => {
  it('is JSON with its level as a word, its time and its message (RUN-005)', () => {
    expect(lineOf({ path: '/message', ms: 1.5 })).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      path: '/message',
      ms: 1.5,
      msg: 'said',
    });
  });

  it.each([...secretNames])('never holds a %s, on any of three levels (ERR-005)', (name) => {
    const text = JSON.stringify(lineOf({ [name]: 'hush', a: { [name]: 'hush', b: { [name]: 'hush' } } }));
    expect(text).not.toContain('hush');
    expect(text.match(/\[redacted\]/g)).toHaveLength(3);
  });

  it("contains an error's kind, message and code, and none of its secrets", () => {
    const error = Object.assign(new Error('no line'), { code: 'ECONNRESET', token: 'hush' });
    const line = lineOf({ err: error });
    expect(line).toMatchObject({ err: { type: 'Error', message: 'no line', code: 'ECONNRESET', token: '[redacted]' } });
  });

  it('is one line on a terminal, however many fields it has', () => {
    const text = prettyFactory({ ...terminalFormat, colorize: false })(lineOf({ method: 'GET', status: 200 }));
    expect(text.trimEnd().split('\n')).toHaveLength(1);
    expect(text).toContain('"status":200');
  });

  it('costs nothing when it is not written', () => {
    vi.useFakeTimers();
    try {
      openLogger('info').debug('quiet');
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not written below its level', () => {
    const lines: string[] = [];
    openLogger('warn', { write: (line: string) => void lines.push(line) }).info({}, 'quiet');
    expect(lines).toEqual([]);
  });
});
