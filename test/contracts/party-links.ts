import assert from 'node:assert/strict';
import type { PartyLink, PartyLinks } from '#application/ports/party-links.ts';
import type { RecordRef } from '#domain/events/record-ref.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddTexts } from '#test/contracts/kit/texts.ts';

const at = 1_769_172_711_789;
const person: RecordRef = { service: 'sales_crm', kind: 'person', id: '8' };
const company: RecordRef = { service: 'sales_crm', kind: 'organization', id: '8' };
const link = (): PartyLink => ({ record: { ...person }, remoteId: '4876876000000123', digest: 'Aa3=', appliedAt: at });

/** Contract suite of mappings between the records of the two CRMs. */
export function partyLinksContract<Handle extends Opened<PartyLinks>>(
  runner: Runner,
  subject: Subject<PartyLinks, Handle>,
): void {
  contract<PartyLinks, Handle>(runner, subject, {
    port: 'party links',
    define: (clause) => {
      clause('PARTYLINKS-001 returns every field as it was stored', async ({ port }) => {
        await port.keep(link());
        await port.keep({ record: company, remoteId: 'r-2', digest: 'Bb4=', appliedAt: at + 1 });
        assert.deepEqual(await port.find(person), link());
        assert.deepEqual(await port.find(company), {
          record: company,
          remoteId: 'r-2',
          digest: 'Bb4=',
          appliedAt: at + 1,
        });
      });

      clause('PARTYLINKS-002 finds the record of an id in the other CRM', async ({ port }) => {
        await port.keep(link());
        await port.keep({ record: { ...person, id: '9' }, remoteId: 'r-9', digest: 'd', appliedAt: at });
        assert.deepEqual(await port.findByRemote('person', link().remoteId), person);
        assert.deepEqual(await port.findByRemote('person', 'r-9'), { ...person, id: '9' });
      });

      clause('PARTYLINKS-003 returns null for a record without a link, however similar', async ({ port }) => {
        await port.keep(link());
        for (const record of [
          company,
          { ...person, service: 'tracker' },
          { ...person, id: '08' },
          { ...person, id: '8 ' },
        ]) {
          assert.equal(await port.find(record), null);
        }
        for (const id of oddTexts) {
          assert.equal(await port.find({ ...person, id }), null, id);
          assert.equal(await port.findByRemote('person', id), null, id);
        }
      });

      clause('PARTYLINKS-004 distinguishes ids in the other CRM by kind', async ({ port }) => {
        await port.keep(link());
        assert.equal(await port.findByRemote('organization', link().remoteId), null);
        await port.keep({ ...link(), record: company });
        assert.deepEqual(await port.findByRemote('person', link().remoteId), person);
        assert.deepEqual(await port.findByRemote('organization', link().remoteId), company);
      });

      clause('PARTYLINKS-005 replaces the record’s earlier link, on both sides', async ({ port }) => {
        const other = { ...link(), remoteId: 'r-2', digest: 'Bb4=', appliedAt: at - 1 };
        await port.keep(link());
        await port.keep(other);
        assert.deepEqual(await port.find(person), other);
        assert.deepEqual(await port.findByRemote('person', 'r-2'), person);
        assert.equal(await port.findByRemote('person', link().remoteId), null);
      });

      clause('PARTYLINKS-006 changes the link of one record and no other', async ({ port }) => {
        const near = [person, company, { ...person, id: '9' }, { ...person, service: 'suite_crm' }];
        for (const [index, record] of near.entries()) await port.keep({ ...link(), record, remoteId: `r-${index}` });
        await port.keep({ ...link(), remoteId: 'changed', digest: 'changed', appliedAt: at + 1 });
        for (const [index, record] of near.entries()) {
          if (index > 0) assert.deepEqual(await port.find(record), { ...link(), record, remoteId: `r-${index}` });
        }
      });

      clause('PARTYLINKS-007 distinguishes records whose parts are equal only when concatenated', async ({ port }) => {
        const left = { service: 'sales_crm', kind: 'person:8', id: '1' };
        const right = { service: 'sales_crm', kind: 'person', id: '8:1' };
        await port.keep({ ...link(), record: left, remoteId: 'left' });
        assert.equal(await port.find(right), null);
        await port.keep({ ...link(), record: right, remoteId: 'right' });
        assert.equal((await port.find(left))?.remoteId, 'left');
        assert.deepEqual(await port.findByRemote('person', 'right'), right);
      });

      clause('PARTYLINKS-008 has all links that are stored concurrently', async ({ port }) => {
        const ids = ['1', '2', '3', '4', '5', '6'];
        await Promise.all(ids.map((id) => port.keep({ ...link(), record: { ...person, id }, remoteId: `r-${id}` })));
        for (const id of ids) {
          assert.equal((await port.find({ ...person, id }))?.remoteId, `r-${id}`);
          assert.deepEqual(await port.findByRemote('person', `r-${id}`), { ...person, id });
        }
      });

      clause('PARTYLINKS-009 has a link as soon as it is stored', async ({ port }) => {
        assert.equal(await port.find(person), null);
        assert.equal(await port.findByRemote('person', link().remoteId), null);
        await port.keep(link());
        assert.deepEqual(await port.find(person), link());
        assert.deepEqual(await port.findByRemote('person', link().remoteId), person);
      });

      clause(
        'PARTYLINKS-010 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = link();
          await port.keep(given);
          tamper(given);
          for (const look of [() => port.find({ ...person }), () => port.findByRemote('person', link().remoteId)]) {
            tamper(await look());
            assert.deepEqual(await port.find({ ...person }), link());
            assert.deepEqual(await port.findByRemote('person', link().remoteId), person);
          }
        },
      );

      clause(
        'PARTYLINKS-011 has exactly one of the links of a record that are stored concurrently',
        async ({ port }) => {
          const digests = ['a', 'b', 'c', 'd', 'e'];
          const links = digests.map((digest, index) => ({
            ...link(),
            digest,
            remoteId: `r-${digest}`,
            appliedAt: at + index,
          }));
          for (let round = 0; round < 5; round += 1) {
            const record = { ...person, id: String(round) };
            await Promise.all(links.map((one) => port.keep({ ...one, record })));
            const found = await port.find(record);
            assert.deepEqual(
              found,
              links.map((one) => ({ ...one, record })).find(({ digest }) => digest === found?.digest),
            );
          }
        },
      );

      clause(
        'PARTYLINKS-012 has at every moment exactly one of the links of a record that another process stores',
        async ({ port, beside }) => {
          const other = await beside();
          await port.keep(link());
          for (let round = 0; round < 20; round += 1) {
            const keeping = other.keep({ ...link(), appliedAt: at + round });
            for (let look = 0; look < 6; look += 1) assert.equal((await port.find(person))?.remoteId, link().remoteId);
            await keeping;
          }
        },
        'processes',
      );

      clause('PARTYLINKS-013 replaces a link only if it is unchanged since it was read', async ({ port }) => {
        const after = { ...link(), digest: 'after', appliedAt: at + 1 };
        assert.equal(await port.keep(link()), true);
        for (const other of [{ remoteId: 'r-2' }, { digest: 'Bb4=' }, { appliedAt: at + 9 }]) {
          assert.equal(await port.keep(after, { ...link(), ...other }), false);
          assert.deepEqual(await port.find(person), link());
        }
        assert.equal(await port.keep(after, link()), true);
        assert.deepEqual(await port.find(person), after);
        assert.equal(await port.keep({ ...after, record: company }, after), false);
        assert.equal(await port.find(company), null);
      });

      clause('PARTYLINKS-014 adds a link only if the record still has none', async ({ port }) => {
        assert.equal(await port.keep(link(), null), true);
        assert.deepEqual(await port.find(person), link());
        assert.equal(await port.keep({ ...link(), digest: 'late' }, null), false);
        assert.deepEqual(await port.find(person), link());
      });

      clause(
        'PARTYLINKS-015 lets exactly one of several callers replace the link that all of them read',
        async ({ port, beside }) => {
          const other = await beside();
          for (const before of [null, link()]) {
            const digests = ['a', 'b', 'c', 'd', 'e', 'f'];
            const kept = await Promise.all(
              digests.map((digest, index) => (index % 2 === 0 ? port : other).keep({ ...link(), digest }, before)),
            );
            assert.equal(kept.filter(Boolean).length, 1);
            assert.equal((await other.find(person))?.digest, digests[kept.indexOf(true)]);
            await port.keep(link());
          }
        },
        'processes',
      );

      lifeCycle(clause, {
        prefix: 'PARTYLINKS',
        fill: async (port) => {
          await port.keep(link());
          await port.keep({ ...link(), remoteId: 'changed', appliedAt: at + 1 });
          await port.keep({ ...link(), record: company, digest: 'Bb4=' });
        },
        read: async (port) => [
          await port.find(person),
          await port.find(company),
          await port.findByRemote('person', 'changed'),
          await port.findByRemote('organization', link().remoteId),
        ],
      });
    },
  });
}
