import { describe, expect, it } from 'vitest';
import { defineService, get, succeeded } from '#bootstrap/package/service.ts';
import { readSettings } from '#bootstrap/settings.ts';
import { SettingErrors } from '#infrastructure/config/read-env.ts';

/** A service whose one row departs in a dialect. */
const deskWith = (dialects: Readonly<Record<string, 'absent'>>, key = 'desk') =>
  defineService({
    key,
    title: 'Desk',
    noun: 'desk',
    vendors: { deskly: 'Deskly' },
    operations: { 'me.get': get('/v1/me', 'Gets me', {}, { dialects }) },
    dialect: ({ dialect }) => ({
      name: dialect,
      baseUrl: () => null,
      trust: () => true,
      credentials: () => ({ headers: {} }),
      headers: {},
      mediaTypes: {},
      readError: () => null,
      readSuccess: ({ body }) => succeeded(body),
    }),
    connection: { key: 'api_key', probe: 'me.get' },
    instructions: { tools: 'desk_*', purpose: 'for tickets' },
  });

describe('a service that is defined', () => {
  it.each(['Desk', 'desk-1', '_desk', ''])('has a key of lower-case words: "%s" is none', (key) => {
    expect(() => deskWith({}, key)).toThrow(`"${key}" is no key of a service: it is lower-case words joined by _.`);
  });

  it('has rows that depart in its own dialects only', () => {
    expect(deskWith({ deskly: 'absent' }).configure({}).provider().service).toBe('desk');
    expect(() => deskWith({ desklly: 'absent' }).configure({}).provider()).toThrow(
      'desk: me.get departs in "desklly"; its dialects are neutral, deskly.',
    );
  });

  it('is set to one of its dialects', () => {
    const settings = (dialect: string) => readSettings({ DESK_DIALECT: dialect }, [deskWith({})]);
    expect(settings('deskly').services[0]?.vendor).toBe('Deskly');
    expect(() => settings('desklly')).toThrow(SettingErrors);
  });
});
