import { deepEqual, equal } from 'node:assert/strict';
import { says, type Task } from '#test/assistant/task.ts';
import type { World } from '#test/assistant/world/world.ts';

const documentCalled = ({ signing }: Pick<World, 'signing'>, name: string) =>
  [...signing.world.documents.values()].find((document) => document.name === name);

/** Tasks about the signing service. */
export const signingTasks: readonly Task[] = [
  {
    id: 'nda-from-template',
    ask: 'Make the NDA for Anna Berg of Nordlicht from our template, send it, and note it in Nordlicht’s note.',
    most: { calls: 7, tokens: 2_500 },
    act: async ({ use }) => {
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
      await use('vault_note_patch', {
        path: 'Organisations/Nordlicht Logistik.md',
        target: 'Notes',
        content: `- NDA sent to Anna Berg, document ${made.str('id')}`,
      });
      return 'Sent.';
    },
    holds: ({ signing, notes }) => {
      const sent = documentCalled({ signing }, 'NDA Nordlicht, Anna Berg');
      deepEqual([sent?.state, sent?.recipients[0]?.email], ['sent', 'anna.berg@nordlicht.example']);
      says(notes.section('Organisations/Nordlicht Logistik.md', '## Notes'), sent?.id ?? '', 'all sites');
    },
  },
  {
    id: 'who-must-sign',
    ask: 'Which documents are out, and who still has to sign which?',
    most: { calls: 7, tokens: 5_000 },
    act: async ({ use }) => {
      const [sent, viewed] = [
        await use('signing_documents_list', { status: 'sent', fields: ['id', 'name'] }),
        await use('signing_documents_list', { status: 'viewed', fields: ['id', 'name'] }),
      ];
      const lines: string[] = [];
      for (const document of [...sent.list('data'), ...viewed.list('data')]) {
        const details = await use('signing_document_details', { id: document.str('id') });
        const waiting = details.list('recipients').filter((one) => one.at('has_completed') === false);
        lines.push(`${document.str('name')}: ${waiting.map((one) => one.str('email')).join(', ')}`);
      }
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
    awaits: 'signing_document_revert',
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
    ask: 'Send the proposal note in Contracts to Grace Hughes at grace@cafe-zuerich.example for signature, as it is.',
    most: { calls: 3, tokens: 1_500 },
    awaits: 'signing_document_from_file',
    act: async ({ use }) => {
      const made = await use('signing_document_from_file', {
        path: 'Contracts/Proposal.md',
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
];
