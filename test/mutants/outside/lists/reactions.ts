// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of sources
import { faultsIn } from '#test/mutants/outside/mutant.ts';

const where = { breaks: 'Reactions', sections: 'REACT' } as const;

/** Faults of the reactions: front matter, history, links, and what is pushed. */
export const reactionFaults = [
  ...faultsIn('domain/reactions/deal-updated.ts', where, [
    [
      'Object.entries({ title, status, value, currency })',
      'Object.entries({ title, status, currency })',
      'deal notes have no value',
    ],
    [
      'Object.entries({ title, status, value, currency })',
      'Object.entries({ title, value, currency })',
      'deal notes have no status',
    ],
    ["datedEntry('History'", "datedEntry('Log'", 'deal notes log under another heading'],
    [
      'create: newNote(templates.deal',
      'create: (deal.id === "" ? newNote : () => null)(templates.deal',
      'a missing deal note is not created',
    ],
  ]),
  ...faultsIn('domain/reactions/step.ts', where, [
    [
      'const text = `- ${historyTime(occurredAt)}: ${what}`;',
      'const text = `- ${what}`;',
      'history lines have no date',
    ],
  ]),
  ...faultsIn('domain/reactions/document-state-changed.ts', where, [
    ["datedEntry('Status History'", "datedEntry('History'", 'contract notes log under another heading'],
  ]),
  ...faultsIn('domain/reactions/contract-note.ts', where, [
    ['...(status === null ? {} : { status }),', '', 'contract notes have no status'],
  ]),
  ...faultsIn('domain/reactions/document-ready.ts', where, [
    [
      "const history = [{ heading: 'Download', text, mark: historyMark(record, 0, 'download') }];",
      'const history = text === "" ? [{ heading: "", text, mark: historyMark(record, 0, "") }] : [];',
      'contract notes have no link in their text',
    ],
  ]),
  ...faultsIn('domain/reactions/issue-changed.ts', where, [
    ["issueIdKey = 'tracker_issue_id'", "issueIdKey = 'issue_id'", 'issue notes have another key for the id'],
    ['tracker_project_id: issue.project?.id ?? null,', '', 'issue notes have no project id'],
    ['tracker_assignee_id: issue.assignee?.id ?? null,', '', 'issue notes have no assignee id'],
    ["['issue.create', 'issue.update']", "['issue.create']", 'changes of issues are not written'],
  ]),
  ...faultsIn('domain/reactions/issue-changed.ts', { breaks: null, sections: 'REACT' }, [
    ['tracker_priority: issue.priority,', '', 'issue notes have no number of the priority'],
  ]),
  ...faultsIn('domain/reactions/party-updated.ts', where, [
    ["['updated.organization']", "['added.organization']", 'changes of organizations are not pushed'],
    ["['updated.person']", "['added.person']", 'changes of persons are not pushed'],
  ]),
  ...faultsIn('adapters/services/suite-crm/ports/party-fields.ts', { breaks: null, sections: 'REACT' }, [
    ["'Email'", "'Secondary_Email'", 'persons are pushed with another field'],
  ]),
];
