import { faultsIn } from '#test/mutants/outside/mutant.ts';

const cookie = 'adapters/http/requests/session-cookie.ts';
const authentication = 'adapters/http/middleware/authentication.ts';

/** Faults of the session cookie, the bearer token, the protected routes, rights, and what every answer has. */
export const sessionFaults = [
  ...faultsIn(cookie, { breaks: 'Session cookie', sections: 'SESS,SET' }, [
    ['; HttpOnly', '', 'scripts can read the cookie'],
    ['; Secure', '', 'the cookie goes over plain HTTP'],
    ['SameSite=Lax', 'SameSite=None', 'the cookie goes with foreign requests'],
    ["sessionCookieName = 'user'", "sessionCookieName = 'session'", 'the cookie has another name'],
    ['lifetimeS: number = sessionLifetimeS', 'lifetimeS: number = 86_400', 'the cookie lives a day'],
  ]),
  ...faultsIn('adapters/http/oauth/set-route.ts', { breaks: 'GET /set', sections: 'SESS,SET' }, [
    ['ctx.status = 200', 'ctx.status = 202', '/set answers 202'],
    ["ctx.type = 'text/plain; charset=utf-8'", "ctx.type = 'text/html; charset=utf-8'", '/set answers HTML'],
    ['setSessionCookie(ctx,', 'void (ctx,', '/set sets no cookie'],
  ]),
  ...faultsIn(authentication, { breaks: 'Server errors', sections: 'SESS' }, [
    [
      "text: 'Invalid session. Please log in again.', link",
      "text: 'Your session is over.', link",
      'another text for an invalid session',
    ],
    ["const title = 'Authentication Required'", "const title = 'Sign in'", 'another title without a session'],
    [
      "text: 'Sign in to see this page.', link: logIn",
      "text: 'Sign in to see this page.', link: { href: '/', text: 'Home' }",
      'no log-in link without a session',
    ],
    ['showMessage(ctx, 401,', 'showMessage(ctx, 403,', 'no session is 403 for browsers'],
    ['ctx.status = 401;\n', 'ctx.status = 403;\n', 'no session is 403 for programs'],
  ]),
  ...faultsIn('infrastructure/crypto/jwe-session-tokens.ts', { breaks: 'Session cookie', sections: 'SESS' }, [
    [
      "const { plaintext } = await compactDecrypt(token, ({ kid }) => this.#keyNamed(kid), {\n        keyManagementAlgorithms: ['dir'],\n        contentEncryptionAlgorithms: ['A256GCM'],\n      });",
      "const { createDecipheriv } = await import('node:crypto'); const [head = '', , iv = '', body = ''] = token.split('.'); const bytes = (text) => Buffer.from(text, 'base64url'); const plaintext = createDecipheriv('aes-256-gcm', this.#keyNamed(JSON.parse(bytes(head)).kid), bytes(iv)).update(bytes(body));",
      'the tag of a cookie is not verified',
    ],
  ]),
  ...faultsIn('domain/sessions/session.ts', { breaks: 'Access token', sections: 'SESS,TOKEN' }, [
    ['ageMs < sessionLifetimeS * 1000', 'ageMs < sessionLifetimeS * 600', 'tokens live 18 days'],
    ['ageMs < sessionLifetimeS * 1000', 'ageMs < sessionLifetimeS * 1050', 'tokens live 31 and a half days'],
  ]),
  ...faultsIn('application/session/identify-caller.ts', { breaks: 'Bearer token', sections: 'SESS' }, [
    [
      'session === null || !isCurrent(session, now)',
      'session === null || (bearer !== null && session.grantId === undefined) || !isCurrent(session, now)',
      'only tokens of the OAuth flow are bearer tokens',
    ],
    [
      'session === null || !isCurrent(session, now)',
      'session === null || (bearer === null && session.grantId !== undefined) || !isCurrent(session, now)',
      'a token of the OAuth flow is no cookie',
    ],
  ]),
  ...faultsIn('adapters/http/middleware/unrouted.ts', { breaks: 'Protected routes', sections: 'SESS,EDGE' }, [
    [
      'return isPublic ? next() : authenticate(ctx, next);',
      'return next();',
      'strangers see which addresses there are',
    ],
  ]),
  ...faultsIn('domain/users/rights.ts', { breaks: 'Rules (permission keys)', sections: 'RIGHT,PERM,TOOL,MCP' }, [
    ['if (!isPermitted(user, service)) {', 'if (false) {', 'tools run without the permission'],
  ]),
  ...faultsIn('domain/users/rights.ts', { breaks: null, sections: 'RIGHT,AUTH,TOOL' }, [
    ['isReading || mayChange(user, service) ? null', 'true ? null', 'an app that may read changes'],
  ]),
  ...faultsIn('adapters/http/middleware/every-answer.ts', { breaks: null, sections: 'EDGE' }, [
    ["['X-Content-Type-Options', 'nosniff'],", '', 'answers may be sniffed'],
    ["['Cache-Control', 'no-store'],", '', 'answers may be cached'],
  ]),
  ...faultsIn('adapters/http/middleware/unrouted.ts', { breaks: null, sections: 'EDGE' }, [
    ["ctx.set('Allow', allow);", '', 'a 405 lists no methods'],
  ]),
  ...faultsIn('adapters/http/answers/problem.ts', { breaks: null, sections: 'ERR,REST' }, [
    ['not_found: 404,', 'not_found: 400,', 'what is missing is 400'],
    ["ctx.type = 'application/problem+json'", "ctx.type = 'application/json'", 'problems are plain JSON'],
    ["ctx.set('Retry-After', String(Math.ceil(retryAfterMs / 1000)))", 'void 0', 'a problem states no wait'],
  ]),
  ...faultsIn('domain/oauth/redirect-uri.ts', { breaks: null, sections: 'AUTH' }, [
    ['known === uri ||', 'uri.startsWith(known) ||', 'redirect URIs are compared by prefix'],
    ["if (uri.includes('#') ||", 'if (', 'redirect URIs may have a fragment'],
  ]),
];
