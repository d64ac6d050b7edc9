import assert from 'node:assert/strict';
import type { PartyDirectory } from '#application/ports/party-directory.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import type { Party } from '#domain/parties/party.ts';
import type { Result } from '#domain/shared/result.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';

/** A record in the other CRM: a party, with null for missing values, and the id of its employer. */
export type SeenParty = Readonly<Record<string, string | null>>;

/** A directory under test; `seen` reads a record of the other CRM without the port, null if there is none. */
export type PartyDirectorySubject<Handle extends Opened<PartyDirectory>> = Subject<PartyDirectory, Handle> &
  Readonly<{ seen(opened: Handle, id: string): Promise<SeenParty | null> }>;

type Person = Extract<Party, { kind: 'person' }>;
type Organization = Extract<Party, { kind: 'organization' }>;

const ann = (): Person => ({
  kind: 'person',
  firstName: 'Änn',
  lastName: 'Lee-Ö (Mrs)',
  email: 'ann@example.com',
  phone: '+49 30 1',
  employer: undefined,
});
const bob = (): Person => ({
  ...ann(),
  firstName: 'Bob',
  lastName: 'Ray',
  email: 'bob@example.com',
  phone: '+49 30 2',
});
const acme = (): Organization => ({
  kind: 'organization',
  name: 'Acme (UK), Söhne & Co',
  address: 'Main St 1',
  website: 'https://acme.example',
});

/** Contract suite of directories of persons and organizations. */
export function partyDirectoryContract<Handle extends Opened<PartyDirectory>>(
  runner: Runner,
  subject: PartyDirectorySubject<Handle>,
): void {
  let handle: Handle | null = null;
  const held: Subject<PartyDirectory, Handle> = {
    ...subject,
    open: async (options) => {
      handle = await subject.open(options);
      return handle;
    },
  };
  const seen = async (id: string): Promise<SeenParty | null> => {
    assert.ok(handle !== null);
    return subject.seen(handle, id);
  };
  const value = <Value>(result: Result<Value, Failure>): Value => {
    assert.ok(result.ok);
    return result.value;
  };

  contract<PartyDirectory, Handle>(runner, held, {
    port: 'party directory',
    define: (clause) => {
      clause('PARTIES-001 creates a person with every field', async ({ port }) => {
        const id = value(await port.upsert(ann(), undefined));
        assert.deepEqual(await seen(id), {
          firstName: 'Änn',
          lastName: 'Lee-Ö (Mrs)',
          email: 'ann@example.com',
          phone: '+49 30 1',
          employerId: null,
        });
      });

      clause('PARTIES-002 creates an organization with every field', async ({ port }) => {
        const id = value(await port.upsert(acme(), undefined));
        const { kind: _, ...fields } = acme();
        assert.deepEqual(await seen(id), fields);
      });

      clause('PARTIES-003 gives each new record its own id', async ({ port }) => {
        const ids = [
          await port.upsert(ann(), undefined),
          await port.upsert(bob(), undefined),
          await port.upsert(acme(), undefined),
        ];
        assert.equal(new Set(ids.map(value)).size, 3);
      });

      clause('PARTIES-004 finds a person by e-mail address, whatever the name', async ({ port }) => {
        const id = value(await port.upsert(ann(), undefined));
        await port.upsert(bob(), undefined);
        assert.deepEqual(value(await port.find({ ...bob(), email: 'ann@example.com' })), [id]);
      });

      clause('PARTIES-005 finds a person without an address by first and last name', async ({ port }) => {
        await port.upsert({ ...ann(), firstName: 'Anna' }, undefined);
        const id = value(await port.upsert({ ...ann(), email: null }, undefined));
        await port.upsert({ ...bob(), firstName: 'Änn' }, undefined);
        for (const email of [null, undefined]) assert.deepEqual(value(await port.find({ ...ann(), email })), [id]);
      });

      clause('PARTIES-006 finds an organization by its name, and no person with that name', async ({ port }) => {
        const id = value(await port.upsert(acme(), undefined));
        await port.upsert({ ...acme(), name: 'Acme' }, undefined);
        await port.upsert({ ...ann(), lastName: acme().name }, undefined);
        assert.deepEqual(value(await port.find({ ...acme(), address: null, website: null })), [id]);
      });

      clause('PARTIES-007 finds nobody when nobody matches', async ({ port }) => {
        for (const party of [ann(), { ...ann(), email: null }, acme()])
          assert.deepEqual(value(await port.find(party)), []);
        await port.upsert(bob(), undefined);
        for (const party of [ann(), { ...ann(), email: null }, acme()])
          assert.deepEqual(value(await port.find(party)), []);
      });

      clause('PARTIES-008 finds all that match', async ({ port }) => {
        const nameless = { ...ann(), email: null };
        const ids = [value(await port.upsert(nameless, undefined)), value(await port.upsert(nameless, undefined))];
        assert.notEqual(ids[0], ids[1]);
        assert.deepEqual([...value(await port.find(nameless))].sort(), ids.toSorted());
      });

      clause('PARTIES-009 updates the person of that e-mail address instead of creating another', async ({ port }) => {
        const id = value(await port.upsert(ann(), undefined));
        assert.equal(value(await port.upsert({ ...ann(), firstName: 'Anna' }, undefined)), id);
        assert.equal((await seen(id))?.['firstName'], 'Anna');
        assert.deepEqual(value(await port.find(ann())), [id]);
      });

      clause('PARTIES-010 updates the organization of that name instead of creating another', async ({ port }) => {
        const id = value(await port.upsert(acme(), undefined));
        assert.equal(value(await port.upsert({ ...acme(), address: 'Main St 2' }, undefined)), id);
        assert.equal((await seen(id))?.['address'], 'Main St 2');
        assert.deepEqual(value(await port.find(acme())), [id]);
      });

      clause(
        'PARTIES-011 creates a person without an e-mail address, even if one with that name exists',
        async ({ port }) => {
          const id = value(await port.upsert(ann(), undefined));
          const other = value(await port.upsert({ ...ann(), email: undefined, phone: '2' }, undefined));
          assert.notEqual(other, id);
          assert.equal((await seen(id))?.['phone'], '+49 30 1');
        },
      );

      clause('PARTIES-012 updates a record, keeping what the party does not mention', async ({ port }) => {
        const id = value(await port.upsert(ann(), undefined));
        const sent = { ...ann(), firstName: undefined, email: undefined, phone: undefined, lastName: 'Leigh' };
        assert.equal(value(await port.update(id, sent, undefined)), true);
        assert.deepEqual(await seen(id), {
          firstName: 'Änn',
          lastName: 'Leigh',
          email: 'ann@example.com',
          phone: '+49 30 1',
          employerId: null,
        });
      });

      clause('PARTIES-013 updates a record, clearing what is empty', async ({ port }) => {
        const person = value(await port.upsert(ann(), undefined));
        const organization = value(await port.upsert(acme(), undefined));
        await port.update(person, { ...ann(), firstName: null, phone: null }, undefined);
        await port.update(organization, { ...acme(), address: null, website: null }, undefined);
        assert.deepEqual(await seen(person), {
          firstName: null,
          lastName: 'Lee-Ö (Mrs)',
          email: 'ann@example.com',
          phone: null,
          employerId: null,
        });
        assert.deepEqual(await seen(organization), { name: acme().name, address: null, website: null });
      });

      clause(
        'PARTIES-014 sets the employer, keeps it if it is unknown, and clears it if there is none',
        async ({ port }) => {
          const organization = value(await port.upsert(acme(), undefined));
          const employer = async (id: string) => (await seen(id))?.['employerId'];
          const id = value(await port.upsert(ann(), organization));
          assert.equal(await employer(id), organization);
          await port.update(id, ann(), undefined);
          assert.equal(await employer(id), organization);
          await port.update(id, ann(), null);
          assert.equal(await employer(id), null);
          await port.update(id, ann(), organization);
          assert.equal(await employer(id), organization);
        },
      );

      clause('PARTIES-015 returns false when there is no record with that id, and creates none', async ({ port }) => {
        for (const party of [ann(), acme()])
          assert.equal(value(await port.update('5000000000009999', party, undefined)), false);
        assert.deepEqual(value(await port.find(ann())), []);
        assert.equal(await seen('5000000000009999'), null);
      });

      clause('PARTIES-016 updates one record and no other', async ({ port }) => {
        const id = value(await port.upsert(ann(), undefined));
        const other = value(await port.upsert(bob(), undefined));
        const before = await seen(other);
        await port.update(id, { ...ann(), phone: '3', lastName: 'Leigh' }, undefined);
        await port.upsert({ ...ann(), firstName: 'Anna' }, undefined);
        assert.deepEqual(await seen(other), before);
      });

      clause(
        'PARTIES-017 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = ann();
          const id = value(await port.upsert(given, undefined));
          tamper(given);
          assert.equal((await seen(id))?.['lastName'], 'Lee-Ö (Mrs)');
          tamper(value(await port.find(ann())));
          assert.deepEqual(value(await port.find(ann())), [id]);
        },
      );
    },
  });
}
