import { faultsIn } from '#test/mutants/outside/mutant.ts';

/** Faults of what all services share: tokens, renewal, retries, and how errors are read. */
export const providerFaults = [
  ...faultsIn(
    'adapters/services/credentials/oauth-facts.ts',
    { breaks: 'OAuth flows of the outbound services', sections: 'CONN,RENEW' },
    [
      [
        'redirect_uri: redirectUri,\n      ...client(app),',
        '...client(app),',
        'codes are exchanged without redirect_uri',
      ],
      [
        'refresh_token: refreshToken,\n      ...client(app),',
        'refresh_token: refreshToken, client_id: app.clientId,',
        'tokens are renewed without the client secret',
      ],
      ["grant_type: 'refresh_token'", "grant_type: 'refresh'", 'renewals have another grant type'],
    ],
  ),
  ...faultsIn(
    'adapters/services/credentials/token-request.ts',
    { breaks: 'OAuth flows of the outbound services', sections: 'CONN' },
    [
      [
        "'content-type': 'application/x-www-form-urlencoded',",
        "'content-type': 'application/json',",
        'token requests say that they are JSON',
      ],
    ],
  ),
  ...faultsIn(
    'adapters/services/credentials/provider-grants.ts',
    { breaks: 'OAuth flows of the outbound services', sections: 'CONN,TRACK' },
    [
      ['{ ...fields, code_verifier: codeVerifier }', 'fields', 'the verifier is not sent'],
      [
        "createHash('sha256').update(codeVerifier).digest('base64url')",
        'codeVerifier',
        'the challenge is the verifier, and called S256',
      ],
      ["url.searchParams.set('state', state);", "url.searchParams.set('status', state);", 'the services get no state'],
    ],
  ),
  ...faultsIn('adapters/services/credentials/provider-grants.ts', { breaks: 'Token lifetimes', sections: 'RENEW' }, [
    [
      'refreshToken: tokens.refreshToken ?? base.refreshToken,',
      'refreshToken: base.refreshToken ?? tokens.refreshToken,',
      'a reissued refresh token is not kept',
    ],
  ]),
  ...faultsIn('application/operations/run-operation.ts', { breaks: 'Outbound authentication', sections: 'OP,RENEW' }, [
    ['isRefused(first) && !this.#isResting(record)', 'false', 'a 401 is not answered by a renewal'],
    [
      'const renewed = await this.#dependencies.accessTokens.renew(record);',
      'const once = await this.#dependencies.accessTokens.renew(record); const renewed = once.ok ? await this.#dependencies.accessTokens.renew(once.value) : once;',
      'two renewals after one 401',
    ],
    ['connection.record = renewed.value;', 'void 0;', 'the renewed token serves one request only'],
  ]),
  ...faultsIn('infrastructure/http/retry.ts', { breaks: 'Outbound authentication', sections: 'OP' }, [
    ['if (result.status === 429 || limit !== null) {', 'if (limit !== null) {', 'a 429 is not tried again'],
    [
      'firstStepMs * 2 ** (attempt - 1)',
      'firstStepMs',
      'the back-off does not grow',
      'the waits have full jitter, so that those of one request say nothing, and clauses do not measure time',
    ],
  ]),
  ...faultsIn('infrastructure/http/retry.ts', { breaks: null, sections: 'OP' }, [
    ['result.status === 501 || !isRepeatable', 'result.status === 501', 'a write is sent again after a 500'],
  ]),
  ...faultsIn('adapters/services/requests/outcome-of.ts', { breaks: null, sections: 'ERR,OP' }, [
    ["404: 'not_found'", "404: 'rejected'", 'what a service lacks is rejected'],
    [
      'const text = withoutSecrets(given, record);',
      'const text = given;',
      'a token that a service echoes is passed on',
    ],
    ['if (result.status >= 300) {', 'if (result.status >= 399) {', 'a redirect of a service is taken for an answer'],
  ]),
  ...faultsIn(
    'adapters/services/requests/wire-request.ts',
    { breaks: 'Outbound', sections: 'SALES,SUITE,VAULT,REST' },
    [
      [': encodeURIComponent(value);\n  });', ': value;\n  });', 'names in paths are not encoded'],
      ["value.map(queryText).join(',')", "value.map(queryText).join(';')", 'lists in queries have semicolons'],
    ],
  ),
];
