import { describe, expect, it } from 'vitest';
import { Readiness } from '#bootstrap/readiness.ts';

describe('readiness', () => {
  it('follows the database', async () => {
    expect(await new Readiness(async () => 'here').isReady()).toBe(true);
    expect(await new Readiness(async () => Promise.reject(new Error('away'))).isReady()).toBe(false);
    expect(await new Readiness(() => new Promise(() => undefined)).isReady()).toBe(false);
  });

  it('ends when the server drains, however well the database is (PUB-009)', async () => {
    const readiness = new Readiness(async () => 'here');
    expect(await readiness.isReady()).toBe(true);
    readiness.drain();
    expect(await readiness.isReady()).toBe(false);
  });
});
