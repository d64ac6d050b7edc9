import { describe, expect, it } from 'vitest';
import type { Clients } from '#application/ports/clients.ts';
import type { Client } from '#domain/oauth/client.ts';

const client = (id: string): Client => ({
  id,
  secret: 'secret',
  name: 'MCP Client',
  redirectUris: ['http://127.0.0.1/callback'],
  createdAt: 1_800_000_000,
});

/** What every adapter of the port keeps. `open` gives an empty one that holds at most `max` clients. */
export function clientsContract(name: string, open: (max: number) => Promise<Clients>): void {
  describe(`${name} as Clients`, () => {
    it('gives back a client as it was kept, with its time of creation', async () => {
      const clients = await open(10);
      await clients.keep(client('client_a'));
      expect(await clients.find('client_a')).toEqual({ ok: true, value: client('client_a') });
    });

    it('answers not_found for an unknown id', async () => {
      const clients = await open(10);
      expect(await clients.find('client_a')).toEqual({ ok: false, failure: { reason: 'not_found' } });
      expect(await clients.find('')).toEqual({ ok: false, failure: { reason: 'not_found' } });
      expect(await clients.find('__proto__')).toEqual({ ok: false, failure: { reason: 'not_found' } });
    });

    it('is bounded: the longest unused goes first', async () => {
      const clients = await open(2);
      await clients.keep(client('client_a'));
      await clients.keep(client('client_b'));
      await clients.find('client_a');
      await clients.keep(client('client_c'));
      expect((await clients.find('client_a')).ok).toBe(true);
      expect((await clients.find('client_b')).ok).toBe(false);
      expect((await clients.find('client_c')).ok).toBe(true);
    });
  });
}
