import { describe, expect, it } from 'vitest';
import { checkedReaction, checkedSource } from '#adapters/services/definitions/checked-values.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { defineService, failed, get, succeeded } from '#bootstrap/package/service.ts';
import { SettingErrors } from '#infrastructure/config/read-env.ts';

const definition = {
  key: 'desk',
  title: 'Desk',
  noun: 'desk',
  operations: { 'me.get': get('/v1/me', 'Gets me', {}) },
  dialect: () => ({}),
  connection: { key: 'api_key', probe: 'me.get' },
  webhooks: { secret: 'DESK_WEBHOOK_SECRET', source: () => ({}) },
  instructions: { tools: 'desk_*' },
};

/** Defines a service as a configuration in JavaScript does, which no compiler checks. */
const defineAnything = (given: object): unknown => Reflect.apply(defineService, null, [given]);

/** A service whose one row differs in a dialect. */
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

describe('the definition of a service', () => {
  it.each(['Desk', 'desk-1', '_desk', ''])('has a key of lower-case words, unlike "%s"', (key) => {
    expect(() => deskWith({}, key)).toThrow('`key` must be lower-case words joined by _, such as "help_desk".');
  });

  it.each<[object, string]>([
    [{ ...definition, title: undefined }, '`title` is missing: it has to be a text.'],
    [{ ...definition, titel: 'Desk' }, 'There is no argument `titel`; did you mean `title`?'],
    [{ ...definition, dialect: {} }, '`dialect` must be a function.'],
    [{ ...definition, operations: { 'me.get': {} } }, '`operations.me.get.kind` is missing'],
    [{ ...definition, connection: { key: 'key', probe: 'me.get' } }, '`connection.key` must be one of "api_key"'],
    [{ ...definition, connection: { key: null } }, '`connection.probe` is missing: it has to be a text.'],
    [{ ...definition, webhooks: { secret: 'DESK_SECRET' } }, '`webhooks.source` must be a function.'],
    [{ ...definition, webhook: definition.webhooks }, 'did you mean `webhooks`?'],
    [{ ...definition, reactions: [{}] }, '`reactions.0` must be a function.'],
    [{ ...definition, timeoutMs: '5000' }, '`timeoutMs` must be a whole number, not the text "5000".'],
    [{ ...definition, instructions: undefined }, '`instructions` is missing: it has to be an object.'],
  ])('has valid members: %# (CONF-012)', (wrong, said) => {
    expect(() => defineAnything(wrong)).toThrow(said);
    expect(() => defineAnything(wrong)).toThrow('The service "desk" does not fit. ');
  });

  it('has rows that differ only in its own dialects', () => {
    expect(deskWith({ deskly: 'absent' }).configure({}).provider().service).toBe('desk');
    expect(() => deskWith({ desklly: 'absent' }).configure({}).provider()).toThrow(
      'desk: me.get overrides the unknown dialect "desklly"; its dialects are neutral, deskly.',
    );
  });

  it('is set to one of its dialects', () => {
    const settings = (dialect: string) => readSettings({ DESK_DIALECT: dialect }, [deskWith({})]);
    expect(settings('deskly').services[0]?.vendor).toBe('Deskly');
    expect(() => settings('desklly')).toThrow(SettingErrors);
  });
});

describe('the webhook source of a service (CONF-013)', () => {
  const record = { service: 'desk', kind: 'ticket', id: '7' };
  const event = { service: 'desk', name: 'ticket.opened', record, occurredAt: 1 };
  const source = {
    service: 'desk',
    verify: () => ({ ok: true, value: { body: {}, deliveryId: null, secret: 0 } }),
    parts: () => [{ name: 'ticket.opened', orderKey: null, body: {} }],
    read: (): unknown => ({ ok: true, value: event }),
  };
  const sourceWith = (change: object): WebhookSource => checkedSource(Object({ ...source, ...change }), 'desk');
  const place = (method: string) => `What ${method}() of the webhook source of desk returned does not fit. `;

  it('passes on valid events', () => {
    const checked = sourceWith({});
    expect(checked.read({}, 1)).toEqual({ ok: true, value: event });
    expect(checked.parts({})).toHaveLength(1);
    expect(
      sourceWith({ read: () => ({ ok: false, failure: { reason: 'unknown', detail: 'x' } }) }).read({}, 1),
    ).toEqual({
      ok: false,
      failure: { reason: 'unknown', detail: 'x' },
    });
  });

  it.each<[string, unknown, string]>([
    ['has no name', { ok: true, value: { ...event, name: undefined } }, '`name` is missing: it has to be a text.'],
    ['has an empty name', { ok: true, value: { ...event, name: '' } }, '`name` must not be empty.'],
    ['is of another service', { ok: true, value: { ...event, service: 'x' } }, '`service` must be "desk", not "x".'],
    ['has no record', { ok: true, value: { ...event, record: null } }, '`record` must be an object, not null.'],
    [
      'has a number as id',
      { ok: true, value: { ...event, record: { ...record, id: 7 } } },
      '`record.id` must be a text',
    ],
    ['has a date as time', { ok: true, value: { ...event, occurredAt: '2026' } }, '`occurredAt` must be a number'],
    ['is no result', { event }, '`ok` is missing: it has to be true or false.'],
    ['is nothing', undefined, 'The input is missing: it has to be an object.'],
  ])('reports an event that %s', (_, read, said) => {
    expect(() => sourceWith({ read: () => read }).read({}, 1)).toThrow(place('read') + said);
  });

  it('reports invalid parts and verified deliveries', () => {
    expect(() => sourceWith({ parts: () => [{ body: {} }] }).parts({})).toThrow(
      `${place('parts')}\`0.name\` is missing`,
    );
    expect(() => sourceWith({ parts: () => [] }).parts({})).toThrow('must have at least 1 item');
    const verify = () => ({ ok: true, value: { body: {} } });
    const delivery = { raw: Buffer.from(''), headers: {}, query: '', address: '' };
    expect(() => sourceWith({ verify }).verify(Object.assign(delivery), 1)).toThrow('`deliveryId` is missing');
  });

  it('passes on fetched events, and reports invalid ones and invalid failures', async () => {
    const read = sourceWith({}).read({}, 1);
    if (!read.ok) throw new Error('It cannot be read.');
    const fetchedBy = (answer: unknown) =>
      sourceWith({ fetch: async () => answer }).fetch?.(read.value, async () => failed('unavailable', 'down'));
    expect('fetch' in sourceWith({})).toBe(false);
    expect(await fetchedBy({ ok: true, value: event })).toEqual({ ok: true, value: event });
    const failure = failed('rate_limited', 'Too many requests.');
    expect(await fetchedBy({ ok: false, failure })).toEqual({ ok: false, failure });
    await expect(fetchedBy({ ok: true, value: { ...event, record: null } })).rejects.toThrow(
      `${place('fetch')}\`record\` must be an object, not null.`,
    );
    await expect(fetchedBy({ ok: false, failure: { reason: 'down' } })).rejects.toThrow(place('fetch'));
    await expect(fetchedBy(undefined)).rejects.toThrow(place('fetch'));
    expect(() => sourceWith({ fetch: {} })).toThrow('The webhook source of desk has no fetch().');
  });

  it('knows its methods, and its service', () => {
    expect(() => sourceWith({ read: null })).toThrow('The webhook source of desk has no read().');
    expect(() => sourceWith({ service: 'dsk' })).toThrow('The webhook source of desk has the service "dsk".');
  });

  it('is used by reactions with valid steps', () => {
    const reaction = checkedReaction(
      Object.assign(() => Object([{ do: 'nte', record }])),
      'reactions[0]',
    );
    expect(() => Reflect.apply(reaction, null, [event, {}])).toThrow(
      'What reactions[0] returned does not fit. `0.do` must be one of "note", "push", "write", "call", "tell", not "nte".',
    );
  });
});
