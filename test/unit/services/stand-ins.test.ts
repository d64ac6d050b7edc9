import { describe, expect, it } from 'vitest';
import { Switchboard } from '#adapters/http/people/switchboard.ts';
import { catalogOf } from '#adapters/services/catalog.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';
import { isSwitchedOff, isWhollyOff } from '#domain/users/rights.ts';
import { guest } from '#domain/users/user.ts';

const providers = providersFrom(readSettings({}));
const { operations, names } = catalogOf(providers);

/** Tools over parts of a record, for which no single operation stands. */
const ofParts = ['frontmatter.get', 'frontmatter.set', 'tags.list', 'tags.add', 'tags.remove'];

describe('the tool of an operation that has none of its own', () => {
  it('is named by each tool that is no operation itself (SWITCH-005)', () => {
    const named = new Set(
      operations.flatMap(({ service, standIns = [] }) => standIns.map((one) => `${service}:${one}`)),
    );
    const lacking = operations
      .filter(({ tool, route }) => tool !== null && route === null)
      .filter(({ service, name }) => !named.has(`${service}:${name}`) && !ofParts.includes(name));
    expect(lacking.map(({ service, name }) => `${service}:${name}`)).toEqual([]);
  });

  it.each(providers.map((provider) => [provider.service, provider] as const))(
    'stands for operations that are there, have no tool, and do nothing worse (SWITCH-005): %s',
    (service, { listed }) => {
      for (const [name, { options }] of Object.entries(listed)) {
        for (const other of options.standsFor ?? []) {
          expect([name, other, Object.keys(listed).includes(other)]).toEqual([name, other, true]);
          expect([name, other, listed[other]?.options.tool]).toEqual([name, other, undefined]);
          const info = operations.find((one) => one.service === service && one.name === other);
          expect(info?.standIns).toContain(name);
        }
      }
    },
  );

  it('switches it off, and what it does otherwise stays on (SWITCH-005)', () => {
    const infoOf = (name: string) => {
      const found = operations.find((one) => one.service === 'vault' && one.name === name);
      if (found === undefined) throw new Error(name);
      return found;
    };
    const user = { ...guest, switchedOff: ['vault:notes.write'] };
    expect(['notes.put', 'notes.append', 'active.put'].map((name) => isWhollyOff(user, infoOf(name)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(['notes.patch', 'notes.read'].map((name) => isWhollyOff(user, infoOf(name)))).toEqual([false, false]);
    const ofApp = { ...guest, app: { grantId: 'a', name: 'A', switchedOff: ['vault:notes.read_part'] } };
    expect(isSwitchedOff(ofApp, { ...infoOf('files.read'), effect: 'read' })).toBe(true);
  });
});

it('the pages list each operation that an app can call, once: by itself or by its tool (SWITCH-005)', () => {
  const switchboard = new Switchboard({ names, operations });
  for (const service of names.keys) {
    const groups = switchboard.groupsOf(service, []);
    const shown = groups.flatMap(({ tools, more }) => [...tools, ...more]).map(({ key }) => key);
    expect(new Set(shown).size).toBe(shown.length);
    const called = operations.filter((one) => one.service === service && (one.tool !== null || one.route !== null));
    const own = called.filter(({ tool, standIns = [] }) => tool !== null || standIns.length === 0);
    expect(shown.toSorted()).toEqual(own.map(({ name }) => `${service}:${name}`).toSorted());
  }
});
