// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of sources
import { faultsIn } from '#test/mutants/outside/mutant.ts';

const folder = 'adapters/services/signing';
const where = { breaks: 'Outbound: signing service', sections: 'SIGN' } as const;

/** Faults of the requests to the signing service. */
export const signingFaults = [
  ...faultsIn(`${folder}/neutral/dialect.ts`, { breaks: 'Outbound authentication', sections: 'SIGN,CONN' }, [
    ["authMethod === 'oauth' ? 'Bearer' : 'API-Key'", "'Bearer'", 'keys are sent as Bearer'],
  ]),
  ...faultsIn(`${folder}/neutral/oauth.ts`, { breaks: 'OAuth flows of the outbound services', sections: 'SIGN,CONN' }, [
    ["response_type: 'code',", '', 'the signing service gets no response_type'],
    ['code,\n      scope: scopeOf(app),', 'code,', 'the exchange has no scope'],
    [".split(/[\\s,+]+/).join(' ')", ".split(/[\\s,+]+/).join(',')", 'scopes of the signing service have commas'],
  ]),
  ...faultsIn(`${folder}/operations/documents.ts`, where, [
    [
      "'/public/v1/documents/{id}/draft'",
      "'/public/v1/documents/{id}/revert'",
      'documents are reverted at another address',
    ],
    ["'documents.set_status': patch(", "'documents.set_status': post(", 'states are set by POST'],
    [
      "'/public/v1/documents/{id}/download-protected'",
      "'/public/v1/documents/{id}/download/protected'",
      'the protected download has another address',
    ],
    [
      "'/public/v1/documents/{id}/audit-trail'",
      "'/public/v1/documents/{id}/audit_trail'",
      'the audit trail has another address',
    ],
  ]),
  ...faultsIn(`${folder}/operations/parts.ts`, where, [
    [
      "'/public/v1/documents/{id}/session'",
      "'/public/v1/documents/{id}/sessions'",
      'sessions are opened at another address',
    ],
    [
      "'/public/v1/documents/{id}/editing-sessions'",
      "'/public/v1/documents/{id}/editing-session'",
      'editing sessions are opened at another address',
    ],
    [
      "'/public/v1/documents/{id}/linked-objects/{lid}'",
      "'/public/v1/linked-objects/{lid}'",
      'links are removed at another address',
    ],
  ]),
  ...faultsIn(`${folder}/operations/library.ts`, where, [
    ["'folders.rename': patch(", "'folders.rename': post(", 'folders are renamed by POST'],
    [
      "'/public/v1/content-library-items/{id}'",
      "'/public/v1/content-library/{id}'",
      'content items have another address',
    ],
  ]),
  ...faultsIn(`${folder}/answers.ts`, where, [
    [
      "const items = listIn(body, ['results']);",
      "const items = listIn(body, ['items']);",
      'lists are looked for in items',
    ],
  ]),
  ...faultsIn(`${folder}/neutral/limits.ts`, { breaks: 'Limits', sections: 'LIMIT' }, [
    ["/details': 600", "/details': 6_000", 'details are asked for without a limit'],
    ["/download': 100", "/download': 1_000", 'downloads have ten times the limit'],
    ["from a PDF': 300", "from a PDF': 500", 'documents from a PDF have the limit of templates'],
  ]),
];
