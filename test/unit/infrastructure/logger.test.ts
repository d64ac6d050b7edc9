import { describe, expect, it } from 'vitest';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { redactedNames } from '#infrastructure/logging/redact.ts';

function logged(log: (logger: ReturnType<typeof openLogger>) => void): string {
  const lines: string[] = [];
  log(openLogger('debug', { write: (line) => void lines.push(line) }));
  return lines.join('');
}

describe('the log', () => {
  it('hides what stands under these names', () => {
    expect([...redactedNames]).toEqual([
      'authorization',
      'cookie',
      'password',
      'token',
      'secret',
      'access_token',
      'refresh_token',
      'client_secret',
      'code',
      'code_verifier',
      'api_key',
      'api_token',
    ]);
  });

  it.each([...redactedNames])('hides %s at the top and two levels below, and in the fields of a child', (name) => {
    const fields = { [name]: 'hush', a: { [name]: 'hush', kept: 1 }, b: { c: { [name]: { x: 'hush' } } } };
    const text = logged((logger) => {
      logger.info(fields, 'said');
      logger.child({ [name]: 'hush' }).warn({}, 'said');
    });
    expect(text).not.toContain('hush');
    expect(text.match(/"\[redacted\]"/g)).toHaveLength(4);
    expect(text).toContain('"kept":1');
    expect(fields).toMatchObject({ [name]: 'hush', a: { [name]: 'hush' } });
  });

  it('is JSON lines with level, time and message, and errors with their code and stack', () => {
    const error = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    expect(JSON.parse(logged((logger) => logger.error({ err: error, list: ['a'] }, 'Failed')))).toEqual({
      level: 'error',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      msg: 'Failed',
      list: ['a'],
      err: expect.objectContaining({ message: 'no', code: 'ECONNREFUSED', stack: expect.any(String) }),
    });
  });
});
