import { contains, equal, eventually, holds, includes, matches, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import {
  dealUpdated,
  deliver,
  delivery,
  documentEvent,
  issueEvent,
  issueOf,
  partyUpdated,
} from '#test/kit/deliveries.ts';
import { has, marksIn, type Note, newNumber, note, notesWith, sent, settled } from '#test/kit/notes.ts';

type Fields = Readonly<Record<string, unknown>>;

const isViewed = (text: string): boolean => /viewed/i.test(text);
/** What stands under a heading, up to the next. */
const under = (text: string, heading: string): string =>
  text.split(new RegExp(`^#+ ${heading}$`, 'm'))[1]?.split(/^#+ /m)[0] ?? '';

const needs = ['login', 'service:vault'] as const;
const deals = [...needs, 'secret:sales_crm'] as const;
const documents = [...needs, 'secret:signing'] as const;
const issues = [...needs, 'secret:tracker'] as const;

/** Clauses on the effects of deliveries, as seen in the emulated vault and suite CRM. */
export const reactions: readonly Clause[] = [
  contract(
    'REACT-006',
    'a deal note that is missing is created by PUT',
    async (kit) => {
      const id = newNumber();
      const { received } = await kit.arriving('vault', async () => {
        await sent(kit, 'sales_crm', dealUpdated({ id, title: `Made ${id}`, status: 'open', value: 100 }));
        await note(kit, `Made ${id}`, has('status', 'open'));
      });
      holds(
        received.some(({ method, path }) => method === 'PUT' && path.startsWith('/vault/')),
        'a PUT of a note',
        received.map(({ method, path }) => `${method} ${path}`),
      );
    },
    deals,
  ),
  contract(
    'REACT-001/frontmatter',
    'updated.deal sets status and value in the frontmatter, and leaves the rest of the note',
    async (kit) => {
      const id = newNumber();
      await sent(kit, 'sales_crm', dealUpdated({ id, title: `Deal ${id}`, status: 'open', value: 100 }));
      const textOf = (path: string): string => kit.emulators.vault.notes.get(path) ?? '';
      const made = await note(kit, `Deal ${id}`, (found) => has('status', 'open')(found) && has('value', 100)(found));
      // What the first event still writes must not be taken for what the second does.
      await kit.quiet('vault');
      kit.emulators.vault.notes.set(
        made.path,
        `${textOf(made.path).replace('---\n', '---\nowner: Ada\n')}\nWritten by a person.\n`,
      );
      await sent(
        kit,
        'sales_crm',
        dealUpdated(
          { id, title: `Deal ${id}`, status: 'won', value: 250 },
          { status: 'open', value: 100 },
          Date.now() + 5,
        ),
      );
      const changed = await note(kit, `Deal ${id}`, (found) => has('status', 'won')(found) && has('value', 250)(found));
      equal(changed.path, made.path, 'the path');
      equal(changed.keys['owner'], 'Ada', 'the key that a person wrote');
      contains(changed.text, 'Written by a person.', 'the note');
    },
    deals,
  ),
  contract(
    'REACT-001/history',
    'updated.deal appends a dated entry under a History heading',
    async (kit) => {
      const id = newNumber();
      const at = Date.now();
      await sent(
        kit,
        'sales_crm',
        dealUpdated({ id, title: `Story ${id}`, status: 'won', value: 7 }, { status: 'open' }, at),
      );
      const day = new Date(at).toISOString().slice(0, 10);
      const found = await note(kit, `Story ${id}`, ({ text }) => under(text, 'History').includes(day));
      matches(found.text, /^#+ History$/m, 'the note');
    },
    deals,
  ),
  ...(['person', 'organization'] as const).map((entity) =>
    contract(
      `REACT-002/${entity}`,
      `updated.${entity} is pushed into the suite CRM`,
      async (kit) => {
        const id = newNumber();
        const name = `Pushed ${entity} ${id}`;
        const data =
          entity === 'person'
            ? {
                id,
                name,
                first_name: 'Pushed',
                last_name: name,
                emails: [{ value: `p${id}@kit.example`, primary: true }],
              }
            : { id, name };
        const { emulator } = kit.emulators.cloud.suite_crm;
        await sent(kit, 'sales_crm', partyUpdated(entity, data));
        const place = entity === 'person' ? /^\/crm\/v8\/(Contacts|Leads)\b/ : /^\/crm\/v8\/Accounts\b/;
        // A target may search by POST first.
        await eventually(`a push of the ${entity} to ${String(place)}`, () =>
          emulator.received.find(
            ({ method, path, text }) => ['POST', 'PUT'].includes(method) && place.test(path) && text.includes(name),
          ),
        );
      },
      ['login', 'service:suite_crm', 'secret:sales_crm'],
    ),
  ),
  contract(
    'REACT-003',
    'document_state_changed sets status in the contract note, and appends under Status History',
    async (kit) => {
      const id = `doc-${newNumber()}`;
      await sent(
        kit,
        'signing',
        documentEvent('document_state_changed', { id, name: `Agreement ${id}`, status: 'document.sent' }),
      );
      const before = await note(kit, id, ({ text }) => /^#+ Status History$/m.test(text) && /sent/.test(text));
      await sent(
        kit,
        'signing',
        documentEvent(
          'document_state_changed',
          { id, name: `Agreement ${id}`, status: 'document.viewed' },
          Date.now() + 5,
        ),
      );
      const after = await note(
        kit,
        id,
        ({ keys, text }) => isViewed(String(keys['status'])) && isViewed(under(text, 'Status History')),
      );
      equal(after.path, before.path, 'the path');
    },
    documents,
  ),
  contract(
    'REACT-004',
    'document_completed_pdf_ready adds a download link to the contract note, once',
    async (kit) => {
      const id = `pdf-${newNumber()}`;
      const payload = documentEvent('document_completed_pdf_ready', {
        id,
        name: `Signed ${id}`,
        status: 'document.completed',
      });
      const linked = ({ text }: Note): boolean => /\]\(<?[^)]*download/.test(text);
      await sent(kit, 'signing', payload);
      const first = await note(kit, id, linked);
      await sent(kit, 'signing', { ...payload, date_created: new Date(Date.now() + 1000).toISOString() });
      await sent(
        kit,
        'signing',
        documentEvent(
          'document_state_changed',
          { id, name: `Signed ${id}`, status: 'document.paid' },
          Date.now() + 2000,
        ),
      );
      const second = await note(kit, id, ({ keys }) => /paid/i.test(String(keys['status'])));
      const links = (text: string): number => text.match(/\]\(<?[^)]*download/g)?.length ?? 0;
      equal(links(second.text), links(first.text), 'the number of links');
    },
    documents,
  ),
  contract(
    'REACT-005',
    'an issue that is created makes a note with its ids, assignee and priority',
    async (kit) => {
      const number = newNumber();
      const data = issueOf(number);
      await sent(kit, 'tracker', issueEvent('create', data));
      await note(
        kit,
        `KIT-${number}`,
        ({ keys }) =>
          keys['tracker_issue_id'] === data['id'] &&
          keys['tracker_project_id'] === 'project-1' &&
          Object.values(keys).includes('user-1') &&
          /"[^",:]*priority[^",:]*":(2|"High")/i.test(JSON.stringify(keys)),
      );
    },
    issues,
  ),
  portolan(
    'REACT-005/ids',
    'the ids of its assignee and its priority have keys of their own',
    async (kit) => {
      const number = newNumber();
      await sent(kit, 'tracker', issueEvent('create', issueOf(number)));
      await note(
        kit,
        `KIT-${number}`,
        (found) => has('tracker_assignee_id', 'user-1')(found) && has('tracker_priority', 2)(found),
      );
    },
    issues,
  ),
  contract(
    'REACT-005/update',
    'an issue that is updated without a note makes one',
    async (kit) => {
      const number = newNumber();
      await sent(kit, 'tracker', issueEvent('update', issueOf(number)));
      await note(kit, `KIT-${number}`, ({ keys }) => keys['tracker_issue_id'] !== undefined);
    },
    issues,
  ),
  portolan(
    'REACT-007',
    'the same event applied twice leaves the same note',
    async (kit) => {
      const id = newNumber();
      const payload = dealUpdated({ id, title: `Twice ${id}`, status: 'won', value: 1 });
      const first = delivery(kit, 'sales_crm', payload);
      status(await deliver(kit, first), 200);
      const before = await note(kit, `Twice ${id}`, (found) => has('value', 1)(found) && marksIn(found.text) === 1);
      await kit.quiet('vault');
      for (let round = 0; round < 3; round += 1) status(await deliver(kit, first), 200);
      const after = await settled(kit, id, { title: `Twice ${id}`, status: 'won' });
      equal(notesWith(kit, `Twice ${id}`).length, 1, 'the number of notes');
      const added = after.text.split('\n').filter((line) => !before.text.includes(line));
      equal(marksIn(added.join('\n')), 1, 'the number of events in the note after the first');
      equal(
        after.text.split('\n').filter((line) => !added.includes(line)),
        before.text.split('\n').filter((line) => !line.startsWith('value:')),
        'the other lines of the note',
      );
    },
    deals,
  ),
  portolan(
    'REACT-007/tracker',
    'a delivery of the tracker that is sent again later leaves the same note',
    async (kit) => {
      const number = newNumber();
      const first = issueEvent('create', issueOf(number));
      const made = delivery(kit, 'tracker', first);
      status(await deliver(kit, made), 200);
      await note(kit, `KIT-${number}`, ({ text }) => marksIn(text) === 1);
      const again = delivery(kit, 'tracker', { ...first, webhookTimestamp: Date.now() + 1 });
      const id = { 'tracker-delivery': made.headers['tracker-delivery'] ?? '' };
      status(await deliver(kit, { ...again, headers: { ...again.headers, ...id } }), 200);
      await sent(kit, 'tracker', issueEvent('update', issueOf(number, { title: `Last ${number}` }), Date.now() + 5));
      const last = await note(kit, `Last ${number}`, ({ text }) => under(text, 'History').includes(`Last ${number}`));
      equal(marksIn(last.text), 2, 'the number of events in the note');
    },
    issues,
  ),
  portolan(
    'REACT-008',
    'an event older than the last applied one never overwrites frontmatter',
    async (kit) => {
      const id = newNumber();
      const now = Date.now();
      await sent(kit, 'sales_crm', dealUpdated({ id, title: `Late ${id}`, status: 'won', value: 1 }, {}, now));
      await note(kit, `Late ${id}`, has('status', 'won'));
      await sent(
        kit,
        'sales_crm',
        dealUpdated({ id, title: `Late ${id}`, status: 'open', value: 1 }, {}, now - 60_000),
      );
      const { keys } = await settled(kit, id, { title: `Late ${id}` });
      equal(keys['status'], 'won', 'status');
    },
    deals,
  ),
  portolan(
    'REACT-010',
    'a removed issue sets status: removed in its note, and the note stays',
    async (kit) => {
      const number = newNumber();
      await sent(kit, 'tracker', issueEvent('create', issueOf(number)));
      await note(kit, `KIT-${number}`, ({ keys }) => keys['tracker_issue_id'] !== undefined);
      await sent(kit, 'tracker', issueEvent('remove', issueOf(number), Date.now() + 5));
      await note(kit, `KIT-${number}`, has('status', 'removed'));
    },
    issues,
  ),
  portolan(
    'REACT-011',
    'a push creates a record once, and updates it from then on',
    async (kit) => {
      const id = newNumber();
      const { emulator } = kit.emulators.cloud.suite_crm;
      const pushes = (name: string) =>
        emulator.received.find(
          ({ method, path, text }) =>
            ['POST', 'PUT'].includes(method) && path.startsWith('/crm/v8/Accounts') && text.includes(name),
        );
      await sent(kit, 'sales_crm', partyUpdated('organization', { id, name: `Once ${id}` }));
      await eventually('a first push', () => pushes(`Once ${id}`));
      await sent(kit, 'sales_crm', partyUpdated('organization', { id, name: `Again ${id}` }));
      const second = await eventually('a second push', () => pushes(`Again ${id}`));
      equal(`${second.method} ${second.path}`, 'PUT /crm/v8/Accounts/91', 'the second push');
    },
    ['login', 'service:suite_crm', 'secret:sales_crm'],
  ),
  portolan(
    'REACT-011/person',
    'a person that is pushed first is one with the same e-mail address, where there is one',
    async (kit) => {
      const id = newNumber();
      const { emulator } = kit.emulators.cloud.suite_crm;
      const email = `first${id}@kit.example`;
      const data = {
        id,
        name: `First ${id}`,
        first_name: 'First',
        last_name: `${id}`,
        emails: [{ value: email, primary: true }],
      };
      // None is found before.
      emulator.script(({ method, path }) => method === 'GET' && path.startsWith('/crm/v8/Contacts/search'), {
        status: 204,
      });
      await sent(kit, 'sales_crm', partyUpdated('person', data));
      const { json } = await eventually('an upsert', () =>
        emulator.received.find(({ path, text }) => path === '/crm/v8/Contacts/upsert' && text.includes(email)),
      );
      includes(json, { data: [{ Email: email }], duplicate_check_fields: ['Email'] }, 'the upsert');
    },
    ['login', 'service:suite_crm', 'secret:sales_crm'],
  ),
  portolan(
    'REACT-012',
    'added.deal, deleted.deal and merged.deal change no note',
    async (kit) => {
      const id = newNumber();
      const { received } = await kit.arriving('vault', async () => {
        for (const action of ['added', 'deleted', 'merged']) {
          const payload = dealUpdated({ id, title: `Kept ${id}`, status: 'open' });
          const meta = { ...(payload['meta'] as Fields), action };
          await sent(kit, 'sales_crm', { ...payload, event: `${action}.deal`, meta });
        }
        await settled(kit, id);
      });
      equal(notesWith(kit, `Kept ${id}`), [], 'the notes');
      equal(
        received.filter(({ text }) => text.includes(`Kept ${id}`)).map(({ method, path }) => `${method} ${path}`),
        [],
        'the changes of notes',
      );
    },
    deals,
  ),
];
