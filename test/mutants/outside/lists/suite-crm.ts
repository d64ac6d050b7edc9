// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of sources
import { faultsIn } from '#test/mutants/outside/mutant.ts';

const folder = 'adapters/services/suite-crm';
const where = { breaks: 'Outbound: suite CRM', sections: 'SUITE' } as const;

/** Faults of the requests to the suite CRM. */
export const suiteCrmFaults = [
  ...faultsIn(`${folder}/neutral/vendor.ts`, { breaks: 'Outbound authentication', sections: 'SUITE' }, [
    ["prefix: 'Suite-oauthtoken'", "prefix: 'Bearer'", 'tokens of the suite CRM are sent as Bearer'],
  ]),
  ...faultsIn(`${folder}/neutral/dialect.ts`, { breaks: 'Outbound authentication', sections: 'SUITE' }, [
    ['apiDomainOf(record, url) ??', 'null ??', 'the api_domain is not used'],
  ]),
  ...faultsIn(
    `${folder}/neutral/oauth.ts`,
    { breaks: 'OAuth flows of the outbound services', sections: 'SUITE,CONN' },
    [
      ["response_type: 'code',", '', 'the suite CRM gets no response_type'],
      ['needsRefreshToken: true', 'needsRefreshToken: false', 'a grant without a refresh token will do'],
    ],
  ),
  ...faultsIn(`${folder}/details/paging.ts`, where, [
    ['.max(200)', '.max(500)', 'pages of 500 records'],
    [
      'if (!parsed.success || parsed.data.more_records !== true)',
      'if (!parsed.success)',
      'lists of the suite CRM do not end',
    ],
  ]),
  ...faultsIn(`${folder}/inputs.ts`, where, [
    ['z.array(record).min(1).max(100)', 'z.array(record).min(1).max(1_000)', 'a thousand records in one call'],
  ]),
  ...faultsIn(`${folder}/inputs/coql.ts`, where, [
    ['maxCoqlRecords = 2_000', 'maxCoqlRecords = 20_000', 'queries of 20,000 records'],
  ]),
  ...faultsIn(`${folder}/operations/attached.ts`, where, [
    ["'/crm/v8/notes'", "'/crm/v8/Notes'", 'notes are created at another address'],
    [
      "'/crm/v8/{module}/{id}/actions/add_tags'",
      "'/crm/v8/{module}/{id}/add_tags'",
      'tags are added at another address',
    ],
    [
      "{ output: outputs.results, query: ['module'] }",
      '{ output: outputs.results }',
      'new tags name their module in the body',
    ],
  ]),
  ...faultsIn(`${folder}/operations/actions.ts`, where, [
    [
      "'/crm/v8/Leads/{id}/convert'",
      "'/crm/v8/Leads/{id}/actions/convert'",
      'suite leads are converted at another address',
    ],
    [
      "'/crm/v8/{module}/{id}/send_mail'",
      "'/crm/v8/{module}/{id}/actions/send_mail'",
      'mail is sent at another address',
    ],
    [
      "'/crm/v8/bulk/read/{job_id}/result'",
      "'/crm/v8/bulk/read/{job_id}/download'",
      'exports are fetched at another address',
    ],
  ]),
  ...faultsIn(`${folder}/operations/settings.ts`, where, [
    [
      "'/crm/v8/settings/roles'",
      "'/crm/v8/roles'",
      'suite roles have another address',
      'the route of a record has the same address, so that the call arrives all the same',
    ],
    [
      "'watch.create': post(\n    '/crm/v8/actions/watch'",
      "'watch.create': post(\n    '/crm/v8/actions/channels'",
      'channels are registered at another address',
    ],
  ]),
  ...faultsIn(`${folder}/operations/records.ts`, where, [
    ["'related.link': put(", "'related.link': post(", 'records are linked by POST'],
    [
      "'/crm/v8/{module}/deleted'",
      "'/crm/v8/{module}/actions/deleted'",
      'deleted records have another address',
      'the route of a record has the same address, so that the call arrives all the same',
    ],
  ]),
  ...faultsIn(`${folder}/neutral/errors.ts`, { breaks: 'Outbound error conventions', sections: 'SUITE,OP' }, [
    ["INVALID_TOKEN: 'unauthorized'", "INVALID_TOKEN: 'rejected'", 'INVALID_TOKEN renews nothing'],
  ]),
  ...faultsIn(`${folder}/neutral/limits.ts`, { breaks: 'Limits', sections: 'LIMIT' }, [
    ['const lowest: Plan = { concurrency: 5', 'const lowest: Plan = { concurrency: 50', 'fifty requests at once'],
    [
      'const lowest: Plan = { concurrency: 5, base: 5_000',
      'const lowest: Plan = { concurrency: 5, base: 500_000',
      'half a million credits a day',
      'only thousands of calls use up a budget of a day',
    ],
  ]),
];
