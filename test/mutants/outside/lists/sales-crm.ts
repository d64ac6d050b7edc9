// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of sources
import { faultsIn } from '#test/mutants/outside/mutant.ts';

const folder = 'adapters/services/sales-crm';
const where = { breaks: 'Outbound: sales CRM', sections: 'SALES' } as const;

/** Faults of the requests to the sales CRM. */
export const salesCrmFaults = [
  ...faultsIn(`${folder}/neutral/dialect.ts`, { breaks: 'Outbound authentication', sections: 'SALES,CONN' }, [
    [
      '{ query: { api_token: record.accessToken } }',
      '{ headers: { authorization: record.accessToken } }',
      'the personal token goes into a header',
    ],
  ]),
  ...faultsIn(
    `${folder}/neutral/oauth.ts`,
    { breaks: 'OAuth flows of the outbound services', sections: 'CONN,SALES' },
    [['...(scopes === null ? {} : { scope: app.scopes ?? scopes }),', '', 'the sales CRM is asked for no scopes']],
  ),
  ...faultsIn(`${folder}/neutral/answers.ts`, where, [
    ["additional['pagination']", "additional['paging']", 'lists of the sales CRM have one page'],
  ]),
  ...faultsIn(`${folder}/operations/notes.ts`, where, [
    ["'notes.update': put(", "'notes.update': post(", 'notes are changed by POST'],
  ]),
  ...faultsIn(`${folder}/operations/goals.ts`, where, [
    ["'goals.update': put(", "'goals.update': post(", 'goals are changed by POST'],
    ["'/v1/goals/{id}/results'", "'/api/v2/goals/{id}/results'", 'results of goals are asked of v2'],
  ]),
  ...faultsIn(`${folder}/operations/leads.ts`, where, [
    ["'/v1/leads',", "'/api/v2/leads',", 'leads are listed by v2'],
    ["'/api/v2/leads/{id}/convert/deal'", "'/v1/leads/{id}/convert/deal'", 'leads are converted by v1'],
  ]),
  ...faultsIn(`${folder}/operations/deals.ts`, where, [
    ["'deals.merge': put(", "'deals.merge': post(", 'deals are merged by POST'],
    ["'/api/v2/deals/{id}/followers'", "'/v1/deals/{id}/followers'", 'followers are asked of v1'],
  ]),
  ...faultsIn(`${folder}/operations/records.ts`, where, [
    ['update: patch<', 'update: post<', 'records are changed by POST'],
  ]),
  ...faultsIn(`${folder}/operations/account.ts`, where, [
    ["'/v1/roles'", "'/api/v2/roles'", 'roles are asked of v2'],
    ["'/api/v2/itemSearch'", "'/v1/itemSearch'", 'all records are searched by v1'],
    ["'updated', 'deleted', 'merged', '*']", "'updated', 'deleted', '*']", 'webhooks cannot be for merged records'],
  ]),
  ...faultsIn(`${folder}/operations/files.ts`, where, [
    ["'/v1/files/{id}/download'", "'/v1/files/{id}'", 'files are downloaded at another address'],
  ]),
  ...faultsIn(`${folder}/neutral/limits.ts`, { breaks: 'Limits', sections: 'LIMIT' }, [
    [
      'const baseTokensADay = 30_000',
      'const baseTokensADay = 300_000',
      'the sales CRM has ten times the tokens',
      'only thousands of calls use up a budget of a day',
    ],
    [
      '? base * 2 : base',
      '? base : base',
      'a call of v1 costs as much as one of v2',
      'only thousands of calls use up a budget of a day',
    ],
    [
      'const points = baseTokensADay * multiplier * seats;',
      'const points = baseTokensADay * multiplier;',
      'seats do not count',
      'only thousands of calls use up a budget of a day',
    ],
  ]),
];
