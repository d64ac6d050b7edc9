// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of sources
import { faultsIn } from '#test/mutants/outside/mutant.ts';

const code = 'domain/oauth/authorization-code.ts';
const client = 'domain/oauth/client.ts';
const exchange = 'application/oauth/exchange-code.ts';
const authorize = 'adapters/http/oauth/authorize-routes.ts';

/** Faults of registration, authorization, codes, PKCE and the token endpoint. */
export const authorizationFaults = [
  ...faultsIn(client, { breaks: 'OAuth client', sections: 'REG' }, [
    ['`client_${random(idBytes)}`', '`clt_${random(idBytes)}`', 'client ids begin otherwise'],
    ['`client_${random(idBytes)}`', '`client_${random(16)}`', 'client ids of 16 bytes'],
    ['const secretBytes = 32', 'const secretBytes = 16', 'secrets of 128 bits'],
    ['secret: random(secretBytes)', "secret: 'A'.repeat(43)", 'one secret for all clients'],
    ["const defaultClientName = 'MCP Client'", "const defaultClientName = 'Client'", 'another default name'],
    [
      'if (uris === null || uris === undefined) return ok([]);',
      "if (uris === null || uris === undefined) return error('invalid_redirect_uri', 'none');",
      'redirect_uris are required',
    ],
    [
      'redirectUris: redirectUris.value,',
      'redirectUris: redirectUris.value.slice(0, 1),',
      'only the first redirect URI is kept',
    ],
  ]),
  ...faultsIn('adapters/http/oauth/register-route.ts', { breaks: 'POST /register', sections: 'REG' }, [
    ['ctx.status = 201', 'ctx.status = 200', 'registration is 200'],
    [
      "token_endpoint_auth_method: 'client_secret_post'",
      "token_endpoint_auth_method: 'none'",
      'registration says another authentication method',
    ],
    [
      'client_name: name,',
      'client_name: name, created_at: registered.value.createdAt,',
      'registration tells created_at',
    ],
    ['client_secret: secret,', '', 'registration without a secret'],
  ]),
  ...faultsIn('adapters/http/oauth/authorization-fields.ts', { breaks: 'GET /authorize', sections: 'AUTH' }, [
    ["state: request.state ?? ''", "state: ''", 'the pages lose the state'],
    [
      "code_challenge: request.codeChallenge ?? '',\n    code_challenge_method: request.codeChallenge === null ? '' : 'S256',",
      "code_challenge: '', code_challenge_method: '',",
      'the pages lose the challenge',
    ],
  ]),
  ...faultsIn(authorize, { breaks: 'GET /authorize', sections: 'AUTH' }, [
    ['begun.value.wantsLogin ? null : visitorOf(ctx)', 'null', 'who is signed in gets the login page'],
    [
      '{ ...loginFailure(ctx, signedIn.failure), email }',
      '{ ...loginFailure(ctx, signedIn.failure), banner: null, email }',
      'a failed login has no banner',
    ],
  ]),
  ...faultsIn('adapters/http/oauth/authorize-pages.ts', { breaks: 'GET /authorize', sections: 'AUTH' }, [
    ['clientName: request.client.name', "clientName: 'An app'", 'the login page does not name the client'],
  ]),
  ...faultsIn(authorize, { breaks: 'POST /authorize', sections: 'AUTH' }, [
    ['ctx.status = 302', 'ctx.status = 303', 'the redirect with the code is 303'],
    ['{ ...parameters, state, iss: issuer }', '{ ...parameters, iss: issuer }', 'the redirect has no state'],
    ["decision === 'allow' ? chooseGrant", "decision !== '' ? chooseGrant", 'Deny gives a code too'],
  ]),
  ...faultsIn('application/oauth/decide-authorization.ts', { breaks: 'PKCE', sections: 'PKCE,TOKEN' }, [
    ['redirectUri, codeChallenge, ...asked', 'redirectUri, codeChallenge: null, ...asked', 'the challenge is not kept'],
  ]),
  ...faultsIn('domain/oauth/authorization-request.ts', { breaks: 'PKCE', sections: 'PKCE,AUTH' }, [
    [
      "method !== null && method !== 'S256'",
      "method !== null && method !== 'S256' && method !== 'plain'",
      'the method plain is accepted',
    ],
  ]),
  ...faultsIn('domain/oauth/pkce.ts', { breaks: 'PKCE', sections: 'PKCE,TOKEN' }, [
    [
      'equal(challengeOf(verifier), challenge)',
      '(equal(challengeOf(verifier), challenge) || equal(verifier, challenge))',
      'the challenge itself is taken as verifier',
    ],
    [
      'if (challenge === null) return true;',
      'if (challenge === null) return verifier === null;',
      'a needless verifier is refused',
    ],
  ]),
  ...faultsIn(code, { breaks: 'Authorization code', sections: 'CODE' }, [
    ['`code_${random(idBytes)}`', '`c_${random(idBytes)}`', 'codes begin otherwise'],
  ]),
  ...faultsIn(exchange, { breaks: 'Authorization code', sections: 'CODE' }, [
    ['if (!(await codes.consume(', 'if (false && !(await codes.consume(', 'a code can be used again'],
  ]),
  ...faultsIn(code, { breaks: 'POST /token', sections: 'TOKEN,CODE' }, [
    [
      'if (exchange.redirectUri === null || !equal',
      'if (exchange.redirectUri !== null && !equal',
      'the exchange needs no redirect_uri',
    ],
    [
      "return err({ reason: 'invalid_redirect_uri' })",
      "return err({ reason: 'invalid_client' })",
      'another redirect URI is invalid_client',
    ],
    [
      "if (!isVerified(code.codeChallenge, exchange.codeVerifier)) return err({ reason: 'invalid_code_verifier' })",
      "if (!isVerified(code.codeChallenge, exchange.codeVerifier)) return err({ reason: 'invalid_code' })",
      'a wrong verifier is invalid_code',
    ],
  ]),
  ...faultsIn('adapters/http/oauth/token-route.ts', { breaks: 'POST /token', sections: 'TOKEN' }, [
    ["token_type: 'bearer'", "token_type: 'Bearer'", 'token_type is Bearer'],
    ['expires_in: expiresInS', 'expires_in: 3600', 'expires_in is an hour'],
    ['expires_in: expiresInS }', 'expires_in: expiresInS, refresh_token: accessToken }', 'there is a refresh token'],
    [
      'error_description: description, reason }',
      'error_description: description }',
      'a refused exchange has no reason',
    ],
  ]),
  ...faultsIn('adapters/http/oauth/token-request.ts', { breaks: 'POST /token', sections: 'TOKEN' }, [
    [
      "grantType !== 'authorization_code'",
      "grantType !== 'authorization_code' && grantType !== 'refresh_token'",
      'the grant type refresh_token is taken for a code',
    ],
  ]),
  ...faultsIn('adapters/http/oauth/well-known-routes.ts', { breaks: 'GET /.well-known', sections: 'META' }, [
    ['oauthMetadata ? metadataDocuments', 'true ? metadataDocuments', 'the metadata is on'],
  ]),
  ...faultsIn(
    'adapters/http/oauth/well-known-routes.ts',
    { breaks: 'GET /.well-known', sections: 'META', isInModes: true },
    [
      [
        "response_types_supported: ['code']",
        "response_types_supported: ['code', 'token']",
        'the metadata has a response type token',
      ],
      [
        "code_challenge_methods_supported: ['S256']",
        "code_challenge_methods_supported: ['S256', 'plain']",
        'the metadata has the method plain',
      ],
      ['issuer: baseUrl,', 'issuer: `${baseUrl}/`,', 'the issuer ends with a slash'],
      ['registration_endpoint: `${baseUrl}/register`,', '', 'the metadata has no registration endpoint'],
    ],
  ),
];
