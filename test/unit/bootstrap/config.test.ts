import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkConfig } from '#bootstrap/config/check-config.ts';
import { givenStores } from '#bootstrap/config/given-stores.ts';
import { loadConfig } from '#bootstrap/config/load-config.ts';
import { memoryStores } from '#bootstrap/package/testing.ts';
import { allServices } from '#bootstrap/services.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { helpdesk } from '#test/examples/helpdesk/service.ts';

describe('the configuration', () => {
  it.each<readonly [string, unknown, RegExp]>([
    ['is no object', 7, /^The configuration is not an object: export default defineConfig/],
    ['has a member that is none', { store: () => ({}) }, /^store: .*Did you mean stores\? There are stores, sink, /],
    ['has stores that are no function', { stores: {} }, /^stores: it is a function, such as \(\{ dataDir \}\)/],
    ['has a sink that is no function', { sink: {} }, /^sink: it is a function/],
    ['has services that are no list', { services: helpdesk }, /^services: it is a list of services/],
    [
      'has a service that is none',
      { services: [helpdesk, { key: 'x' }] },
      /^services\[1\]: not a service; create it with/,
    ],
    ['has a service twice', { services: [helpdesk, helpdesk] }, /^services: two have the key help_desk/],
    [
      'has a built-in service again',
      { services: [...allServices] },
      /^services: two have the key sales_crm; .*builtIn/,
    ],
    [
      'has more services than there is room for',
      {
        services: Array.from({ length: 22 }, (_, index) => ({
          ...helpdesk,
          key: `desk_${'abcdefghijklmnopqrstuv'[index]}`,
        })),
      },
      /^services: there are 27, and 26 at most\.$/,
    ],
    ['has reactions that are no list', { reactions: () => null }, /^reactions: it is a list of reactions/],
    [
      'has a reaction without `on`',
      { reactions: [() => null] },
      /^reactions\[0\]: .*make it by on\(service, \[names\], plan\)/,
    ],
    [
      'has a reaction to events of an unknown service',
      {
        reactions: [Object.assign(() => null, { concern: { service: 'help_desks', names: ['x'], calls: 'vault' } })],
        services: [helpdesk],
      },
      /^reactions\[0\]: .*help_desks.*Did you mean help_desk\?/,
    ],
  ])('is refused if it %s (CONF-004)', (_, config, sentence) => {
    expect(() => checkConfig(config)).toThrow(sentence);
  });

  it('is valid without any member, and may leave built-in services out (CONF-003)', () => {
    expect(checkConfig({}).services).toEqual(allServices);
    const added = checkConfig({ services: [helpdesk] }).services.map(({ key }) => key);
    expect(added).toEqual(['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault', 'help_desk']);
    const some = checkConfig({ services: (builtIn: typeof allServices) => [...builtIn.slice(0, 2), helpdesk] });
    expect(some.services.map(({ key }) => key)).toEqual(['sales_crm', 'signing', 'help_desk']);
  });

  const context = {
    dataDir: '/nowhere',
    logger: openLogger('silent'),
    clock: systemClock,
  };
  const { users } = memoryStores();
  it.each<readonly [string, () => object, RegExp]>([
    ['of an unknown name', () => ({ inbox: users }), /^stores\.inbox: there is no store of this name\. .*webhookInbox/],
    [
      'without a method',
      () => ({ leases: { acquire: () => 1 } }),
      /^stores\.leases: .*missing methods: release, ready, close; .*acquire, release/,
    ],
    ['that is nothing', () => ({ users: null }), /^stores\.users: missing methods: find/],
    ['in a list', () => [users], /^stores: the function returns an object of stores/],
    [
      'that cannot be opened',
      () => {
        throw new Error('connect ECONNREFUSED');
      },
      /could not be opened: connect ECONNREFUSED$/,
    ],
  ])('is refused if it has a store %s (CONF-004)', async (_, make, sentence) => {
    await expect(givenStores(make, context)).rejects.toThrow(sentence);
  });

  it('accepts the stores that are given', async () => {
    expect(await givenStores(() => ({ users }), context)).toEqual({ users });
    expect(await givenStores(null, context)).toEqual({});
  });
});

describe('the configuration file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portolan-config-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const write = (name: string, text: string) => writeFile(join(folder, name), text);

  it('is optional (CONF-001)', async () => {
    expect(await loadConfig({}, folder)).toMatchObject({ stores: null, sink: null, reactions: [] });
  });

  it.each(['portolan.config.ts', 'portolan.config.js', 'portolan.config.mjs'])('may be %s (CONF-001)', async (name) => {
    const type = name.endsWith('.ts') ? ': object' : '';
    await write('package.json', '{"type":"module"}');
    await write(name, `const config${type} = { stores: () => ({}) };\nexport default config;\n`);
    expect((await loadConfig({}, folder)).stores).toBeInstanceOf(Function);
  });

  it('is named by PORTOLAN_CONFIG (CONF-001)', async () => {
    await write('mine.mjs', 'export default { sink: () => null };');
    expect((await loadConfig({ PORTOLAN_CONFIG: 'mine.mjs' }, folder)).sink).toBeInstanceOf(Function);
    const missing = loadConfig({ PORTOLAN_CONFIG: 'yours.mjs' }, folder);
    await expect(missing).rejects.toThrow(/^PORTOLAN_CONFIG: there is no file .*yours\.mjs\. Set it to the path/);
  });

  it.each([
    ['has no default export', 'export const config = {};', /^mine\.mjs: it has no default export/],
    ['does not parse', 'export default {', /^mine\.mjs: it cannot be loaded \(.+\)\.$/],
    ['throws', 'throw new TypeError("no url");', /^mine\.mjs: it cannot be loaded \(TypeError: no url\)\.$/],
    ['does not fit', 'export default { sinks: 1 };', /^mine\.mjs: sinks: .*Did you mean sink\?/],
  ])('is named in the error when it %s (CONF-004)', async (_, text, sentence) => {
    await write('mine.mjs', text);
    await expect(loadConfig({ PORTOLAN_CONFIG: 'mine.mjs' }, folder)).rejects.toThrow(sentence);
  });

  it('is unique (CONF-001)', async () => {
    await write('portolan.config.ts', 'export default {};');
    await write('portolan.config.mjs', 'export default {};');
    await expect(loadConfig({}, folder)).rejects.toThrow(
      /^There are portolan\.config\.ts and portolan\.config\.mjs; keep one/,
    );
  });
});
