import type { Documents } from '#test/demo/documents.ts';
import type { Stage } from '#test/demo/stage.ts';

/** Where a step happens. */
export type Place = 'Sales CRM' | 'Signing service' | 'Tracker' | 'Vault';

/** What a step works with. */
export type Scene = Readonly<{ stage: Stage; documents: Documents; signal: AbortSignal }>;

/** A step of the story. */
export type Step = Readonly<{
  place: Place;
  /** A sentence: who does what. */
  what: string;
  act(scene: Scene): unknown;
  /** The document that it ends in, and what that holds then; null when there is to be no effect. */
  effect: Readonly<{ name: RegExp; words: readonly string[] }> | null;
  /** Why there is none, or what one may overlook. */
  remark?: string;
}>;

const dealNote = /^Deals\/Rollout at Acme\.md$/;
const contractNote = /^Contracts\/Contract with Acme\.md$/;
const issueNote = /^Issues\/ENG-2 .*\.md$/;
const written = 'Maria prefers a call on Tuesdays.';

/** The story: a deal, a person, a contract, an issue. What is done by the assistant is done over MCP, the rest in the services. */
export const story: readonly Step[] = [
  {
    place: 'Sales CRM',
    what: 'The assistant adds the deal “Rollout at Acme” over 12,000 EUR (sales_crm_deal_create)',
    act: ({ stage }) =>
      stage.assistant.use('sales_crm_deal_create', {
        title: 'Rollout at Acme',
        value: 12_000,
        currency: 'EUR',
        stage_id: 1,
      }),
    effect: null,
    remark:
      'A deal gets its note with its first change: there is a reaction to updated.deal, and none to added.deal (REACT-012).',
  },
  {
    place: 'Sales CRM',
    what: 'Ann moves the deal to “Proposal made” and raises it to 14,000 EUR',
    act: ({ stage }) => changeDeal(stage, { stage_id: 2, value: 14_000 }),
    effect: { name: dealNote, words: ['value 12000 → 14000'] },
  },
  {
    place: 'Sales CRM',
    what: 'Ann moves the deal to “Negotiations started”',
    act: ({ stage }) => changeDeal(stage, { stage_id: 3 }),
    effect: { name: dealNote, words: ['stage Proposal made → Negotiations started'] },
  },
  {
    place: 'Vault',
    what: 'The assistant writes into the note, below “Notes” (vault_note_patch)',
    act: ({ stage }) =>
      stage.assistant.use('vault_note_patch', {
        path: 'Deals/Rollout at Acme.md',
        operation: 'append',
        target_type: 'heading',
        target: 'Notes',
        content: `${written}\n`,
      }),
    effect: { name: dealNote, words: [written] },
    remark: 'What people and assistants write stays, whatever happens in the services.',
  },
  {
    place: 'Sales CRM',
    what: 'The deal is won',
    act: ({ stage }) => changeDeal(stage, { status: 'won' }),
    effect: { name: dealNote, words: ['status open → won', 'status: won', written] },
  },
  {
    place: 'Sales CRM',
    what: 'Ann adds the address of the organization Acme',
    act: ({ stage }) => {
      const { records } = stage.emulators.salesCrm;
      const { id } = records.create('organization', { name: 'Acme' });
      records.update('organization', String(id), { address: { value: 'Via Roma 1, Torino' } });
    },
    effect: { name: /Accounts › Acme$/, words: ['Billing_Street: Via Roma 1, Torino'] },
    remark: 'Pushed one way, by search and upsert: the suite CRM reports it, too, and nothing goes back.',
  },
  {
    place: 'Sales CRM',
    what: 'Ann adds the phone number of Maria Rossi, who works there',
    act: ({ stage }) => {
      const { records } = stage.emulators.salesCrm;
      const org_id = records.all('organization').at(-1)?.['id'];
      const emails = [{ value: 'maria@acme.example', primary: true }];
      const { id } = records.create('person', { name: 'Maria Rossi', emails, org_id });
      records.update('person', String(id), { phones: [{ value: '+39 011 555 0101', primary: true }] });
    },
    effect: { name: /Contacts › Rossi$/, words: ['Phone: +39 011 555 0101', 'Account_Name: Acme'] },
  },
  {
    place: 'Signing service',
    what: 'The assistant creates “Contract with Acme” from a template (signing_document_create)',
    act: ({ stage }) =>
      stage.assistant.use('signing_document_create', {
        name: 'Contract with Acme',
        template_uuid: 'tpl-offer',
        recipients: [{ email: 'maria@acme.example', first_name: 'Maria', last_name: 'Rossi', role: 'Client' }],
      }),
    effect: { name: contractNote, words: ['status → document.draft'] },
  },
  {
    place: 'Signing service',
    what: 'The assistant sends it (signing_document_send)',
    act: ({ stage }) => stage.assistant.use('signing_document_send', { id: contractId(stage) }),
    effect: { name: contractNote, words: ['status → document.sent'] },
  },
  {
    place: 'Signing service',
    what: 'Maria opens it',
    act: ({ stage }) => stage.emulators.signing.lifeCycle.view(contractId(stage)),
    effect: { name: contractNote, words: ['status → document.viewed'] },
  },
  {
    place: 'Signing service',
    what: 'Maria signs it, and the PDF is ready',
    act: ({ stage }) => stage.emulators.signing.lifeCycle.sign(contractId(stage), 'maria@acme.example'),
    effect: { name: contractNote, words: ['status → document.completed', 'Download the signed PDF'] },
    remark: 'The link is the server’s own: it works for whoever is signed in there, and carries no secret.',
  },
  {
    place: 'Tracker',
    what: 'The assistant opens an issue for the rollout (tracker_issue_create)',
    act: ({ stage }) =>
      stage.assistant.use('tracker_issue_create', {
        title: 'Set up accounts for Acme',
        team: 'ENG',
        project: 'Website',
        priority: 2,
        description: 'They start with **20 people** on Monday.',
      }),
    effect: { name: issueNote, words: ['created by'] },
  },
  {
    place: 'Tracker',
    what: 'Bob takes the issue and starts it',
    act: ({ stage }) => changeIssue(stage, 'In Progress', { assigneeId: stage.emulators.tracker.seed.bob.id }),
    effect: { name: issueNote, words: ['Bob Smith took it on', 'moved it to In Progress'] },
  },
  {
    place: 'Tracker',
    what: 'Bob is done',
    act: ({ stage }) => changeIssue(stage, 'Done', {}),
    effect: { name: issueNote, words: ['moved it to Done'] },
  },
];

function changeDeal({ emulators }: Stage, fields: Readonly<Record<string, unknown>>): void {
  const { records } = emulators.salesCrm;
  records.update('deal', String(records.all('deal').at(-1)?.['id']), fields);
}

function contractId({ emulators }: Stage): string {
  return [...emulators.signing.world.documents.keys()].at(-1) ?? '';
}

/** As Bob does it in the tracker. */
function changeIssue({ emulators }: Stage, state: string, more: Readonly<Record<string, unknown>>): void {
  const { space, seed } = emulators.tracker;
  space.viewerId = seed.bob.id;
  const issue = space.require('Issue', 'ENG-2');
  const stateId = space.all('WorkflowState').find(({ name, teamId }) => name === state && teamId === seed.eng.id)?.id;
  space.change('Issue', issue, { ...more, stateId });
}
