// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of sources
import { faultsIn } from '#test/mutants/outside/mutant.ts';

const folder = 'adapters/services/tracker';
const where = { breaks: 'Outbound: tracker', sections: 'TRACK' } as const;

/** Faults of the requests to the tracker. */
export const trackerFaults = [
  ...faultsIn(`${folder}/neutral/dialect.ts`, { breaks: 'Outbound authentication', sections: 'TRACK' }, [
    [
      "authMethod === 'oauth' ? `Bearer ${accessToken}` : accessToken",
      '`Bearer ${accessToken}`',
      'personal keys are sent as Bearer',
    ],
  ]),
  ...faultsIn(
    `${folder}/neutral/oauth.ts`,
    { breaks: 'OAuth flows of the outbound services', sections: 'TRACK,CONN' },
    [
      ["response_type: 'code',", '', 'the tracker gets no response_type'],
      ["usualScopes = 'read,write'", "usualScopes = 'read'", 'the tracker is asked for reading only'],
    ],
  ),
  ...faultsIn('adapters/services/requests/request-rows.ts', where, [
    ["path: '/graphql'", "path: '/api/graphql'", 'GraphQL is posted elsewhere'],
  ]),
  ...faultsIn('adapters/services/requests/wire-request.ts', where, [
    [
      'variables: Object.fromEntries(rest) }',
      'input: Object.fromEntries(rest) }',
      'variables are sent under another name',
    ],
  ]),
  ...faultsIn(`${folder}/operations/tables.ts`, where, [
    ['`{ success ${affected} }`', '`{ ${affected} }`', 'mutations do not ask for success'],
  ]),
  ...faultsIn(`${folder}/inputs.ts`, where, [
    ["includeArchived: variable('Boolean', page.includeArchived),", '', 'archived records cannot be listed'],
    ["before: variable('String', page.before),", '', 'lists are paged forwards only'],
  ]),
  ...faultsIn(`${folder}/neutral/answers.ts`, where, [
    [
      'isBackwards ? pageInfo?.startCursor : pageInfo?.endCursor',
      'pageInfo?.startCursor',
      'the next page begins where this one did',
    ],
    [
      'isBackwards ? pageInfo?.hasPreviousPage : pageInfo?.hasNextPage',
      'pageInfo?.hasPreviousPage',
      'lists of the tracker have one page',
    ],
  ]),
  ...faultsIn(`${folder}/neutral/dialect.ts`, { breaks: 'Outbound error conventions', sections: 'TRACK,OP' }, [
    [
      'answer.data === null ? answer.errors.length > 0 : isRefused(answer)',
      'false',
      'errors of the tracker are taken for answers',
    ],
  ]),
  ...faultsIn(`${folder}/neutral/errors.ts`, { breaks: 'Outbound: tracker', sections: 'TRACK' }, [
    ['payload.safeParse(value).data?.success === false', 'false', 'success: false is a success'],
  ]),
  ...faultsIn(`${folder}/neutral/answers.ts`, { breaks: 'Outbound error conventions', sections: 'TRACK' }, [
    ['const warnings = [...partial, ...cuts];', 'const warnings = [...cuts];', 'a part of an answer is taken for all'],
  ]),
  ...faultsIn(`${folder}/operations/issue-changes.ts`, where, [
    ["create('issueLabelCreate'", "create('labelCreate'", 'labels are created by another mutation'],
    ["act('issueUnarchive'", "act('issueRestore'", 'issues are restored by another mutation'],
  ]),
  ...faultsIn(`${folder}/operations/planning-changes.ts`, where, [
    ["targetDate: onDay('The target date'),", '', 'new projects have no target date'],
    ["endsAt: variable('DateTime!', moment('When it ends')),", '', 'new cycles have no end'],
  ]),
  ...faultsIn(`${folder}/neutral/limits.ts`, { breaks: 'Limits', sections: 'LIMIT' }, [
    ['key: { requests: 1_500', 'key: { requests: 15_000', '15,000 an hour by a key'],
    [
      'oauth: { requests: 500, complexity: 200_000 }',
      'oauth: { requests: 500, complexity: 20_000_000 }',
      'complexity has no bound',
      'the interface does not say how many points a document costs',
    ],
  ]),
];
