import { deepEqual, equal } from 'node:assert/strict';
import { says, type Task } from '#test/assistant/task.ts';
import type { World } from '#test/assistant/world/world.ts';

const documentCalled = ({ signing }: Pick<World, 'signing'>, name: string) =>
  [...signing.world.documents.values()].find((document) => document.name === name);

/** Twelve kilobytes of German and English. */
/** A text of some pages. */
export const terms = [
  '# General terms',
  ...Array.from(
    { length: 60 },
    (_, at) =>
      `${at + 1}. Lieferung ${at + 1} erfolgt innerhalb von ${at + 10} Tagen. Whoever receives goods checks them within ${at + 2} days and reports what is missing or broken, § ${at + 100}.`,
  ),
].join('\n\n');

/** Tasks about the signing service. */
export const signingTasks: readonly Task[] = [
  {
    id: 'nda-from-template',
    ask: 'Make the NDA for Anna Berg of Nordlicht from our template, send it, and note it under Notes in Nordlicht’s note.',
    most: { calls: 7, tokens: 2_500 },
    act: async ({ use, mistake }) => {
      const anna = await use('sales_crm_search', { term: 'Anna Berg', item_types: ['person'] });
      const template = (await use('signing_templates_list', { q: 'NDA' })).str('data.0.id');
      const role = (await use('signing_template_get', { id: template })).str('roles.0.name');
      const recipient = { email: anna.str('data.0.item.emails.0'), first_name: 'Anna', last_name: 'Berg', role };
      const made = await use('signing_document_create', {
        template_uuid: template,
        name: 'NDA Nordlicht, Anna Berg',
        recipients: [recipient],
        wait: 30,
      });
      await use('signing_document_send', { id: made.str('id'), subject: 'Our NDA', message: 'Please sign.' });
      const line = { target: 'Notes', content: `- NDA sent to Anna Berg, document ${made.str('id')}` };
      const refusal = await mistake('vault_note_patch', { path: 'Nordlicht.md', ...line });
      says(refusal, 'Organisations/Nordlicht Logistik.md');
      await use('vault_note_patch', { path: 'Organisations/Nordlicht Logistik.md', ...line });
      return 'Sent.';
    },
    holds: [
      ({ signing }) => {
        const sent = documentCalled({ signing }, 'NDA Nordlicht, Anna Berg');
        deepEqual([sent?.state, sent?.recipients[0]?.email], ['sent', 'anna.berg@nordlicht.example']);
        equal(sent?.recipients[0]?.role, 'Client');
      },
      ({ signing, notes }) => {
        const sent = documentCalled({ signing }, 'NDA Nordlicht, Anna Berg');
        says(notes.section('Organisations/Nordlicht Logistik.md', '## Notes'), sent?.id ?? 'no id', 'all sites');
      },
    ],
  },
  {
    id: 'who-must-sign',
    ask: 'Which documents are out, and who still has to sign which?',
    most: { calls: 3, tokens: 4_500 },
    act: async ({ use }) => {
      const [sent, viewed] = [
        await use('signing_documents_list', { status: 'sent', fields: ['id', 'name'] }),
        await use('signing_documents_list', { status: 'viewed', fields: ['id', 'name'] }),
      ];
      const items = [...sent.list('data'), ...viewed.list('data')].map((document) => ({ id: document.str('id') }));
      const details = await use('workspace_bulk', { operation: 'signing_document_details', items });
      const lines = details.list('done').map((one) => {
        const waiting = one.list('answer.recipients').filter((recipient) => recipient.at('has_completed') === false);
        return `${one.str('answer.name')}: ${waiting.map((recipient) => recipient.str('email')).join(', ')}`;
      });
      return lines.join('\n');
    },
    holds: ({ signing }, answer) => {
      const out = [...signing.world.documents.values()].filter(({ state }) => ['sent', 'viewed'].includes(state));
      equal(out.length, 5);
      for (const { name, recipients } of out) {
        const waiting = recipients.filter(({ has_completed }) => !has_completed);
        says(answer, `${name}: ${waiting.map(({ email }) => email).join(', ')}`);
      }
    },
  },
  {
    id: 'signed-pdf',
    ask: 'Get me the signed master agreement with Nordlicht as a PDF.',
    most: { calls: 2, tokens: 1_500 },
    act: async ({ use }) => {
      const found = await use('signing_documents_list', {
        q: 'Nordlicht',
        status: 'completed',
        fields: ['id', 'name'],
      });
      const file = await use('signing_document_download', { id: found.str('data.0.id') });
      return `${found.str('data.0.name')}: ${file.text}`;
    },
    holds: (_, answer) => says(answer, 'Master agreement Nordlicht Logistik', '.pdf'),
  },
  {
    id: 'revert-document',
    ask: 'The NDA for Kestrel Foods has a mistake in it. Take it back to draft; nobody is to sign it as it is.',
    most: { calls: 2, tokens: 500 },
    act: async ({ use }) => {
      const found = await use('signing_documents_list', { q: 'Kestrel', fields: ['id', 'name', 'status'] });
      await use('signing_document_revert', { id: found.str('data.0.id') });
      return 'It is a draft again.';
    },
    holds: (world) => {
      equal(documentCalled(world, 'NDA Kestrel Foods')?.state, 'draft');
      equal(documentCalled(world, 'NDA Polaris Shipping')?.state, 'sent');
    },
  },
  {
    id: 'document-from-note',
    ask: 'Send the note Contracts/Proposal to Grace Hughes at grace@cafe-zuerich.example for signature, as it is.',
    most: { calls: 3, tokens: 1_500 },
    act: async ({ use }) => {
      const made = await use('signing_document_from_file', {
        file: { vault_path: 'Contracts/Proposal.md' },
        name: 'Proposal Café Zürich',
        recipients: [{ email: 'grace@cafe-zuerich.example', first_name: 'Grace', last_name: 'Hughes' }],
        wait: 30,
      });
      await use('signing_document_send', { id: made.str('id'), subject: 'Our proposal', message: 'Please sign.' });
      return 'Sent.';
    },
    holds: (world) => {
      const made = documentCalled(world, 'Proposal Café Zürich');
      deepEqual([made?.state, made?.recipients[0]?.email], ['sent', 'grace@cafe-zuerich.example']);
    },
  },
  {
    id: 'long-text',
    ask: `Here are our new terms. Keep them as the note Contracts/General terms and as a document of the project Website in the tracker, and send them as they are to Grace Hughes, grace@cafe-zuerich.example, for signature.\n\n${terms}`,
    most: { calls: 4, tokens: 7_000 },
    act: async ({ use }) => {
      const path = 'Contracts/General terms.md';
      await use('vault_note_write', { path, content: terms });
      await use('tracker_document_create', { title: 'General terms', content: terms, project: 'Website' });
      const made = await use('signing_document_from_file', {
        file: { vault_path: path },
        name: 'General terms',
        recipients: [{ email: 'grace@cafe-zuerich.example', first_name: 'Grace', last_name: 'Hughes' }],
        wait: 30,
      });
      await use('signing_document_send', { id: made.str('id'), subject: 'Our new terms', message: 'Please sign.' });
      return 'It is all done.';
    },
    holds: [
      ({ notes }) => equal(notes.text('Contracts/General terms.md')?.trim(), terms),
      ({ tracker }) => {
        const kept = tracker.all('Document').at(-1);
        equal(String(kept?.['content']).trim(), terms);
        equal(tracker.find('Project', kept?.['projectId'])?.['name'], 'Website');
      },
      (world) => {
        const sent = documentCalled(world, 'General terms');
        deepEqual([sent?.state, sent?.recipients[0]?.email], ['sent', 'grace@cafe-zuerich.example']);
      },
    ],
  },
];
