import { describe, expect, it } from 'vitest';
import { Readiness } from '#bootstrap/readiness.ts';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';

describe('readiness', () => {
  it('follows the database, and reports what is wrong with it, but not where it is (PUB-005)', async () => {
    expect(await new Readiness(async () => 'here').reason()).toBeNull();
    const full = new DatabaseUnavailable('full', new Error('/data/portolan.sqlite'));
    const reason = await new Readiness(async () => Promise.reject(full)).reason();
    expect(reason).toMatch(/^The database cannot be used: .*its disk is full/);
    expect(reason).not.toContain('/data');
    expect(await new Readiness(() => new Promise(() => undefined)).reason()).toBe('The database does not answer.');
  });

  it('follows the storage, and reports its reason (RUN-028)', async () => {
    let trouble: string | null = 'The folder is not there.';
    const readiness = new Readiness(async () => 'here', { trouble: () => trouble });
    expect(await readiness.reason()).toBe('The folder is not there.');
    trouble = null;
    expect(await readiness.reason()).toBeNull();
  });

  it('ends when the server drains, whatever the state of the database (PUB-009)', async () => {
    const readiness = new Readiness(async () => 'here');
    expect(await readiness.reason()).toBeNull();
    readiness.drain();
    expect(await readiness.reason()).toBe('The server is stopping.');
  });
});
