import { answers, type Fault, isFor, jsonOf, type Outgoing, withHeader, withJson } from '#test/kit/self-test/fault.ts';

const isExchange = isFor('/token', 'POST');
const isRegistration = isFor('/register', 'POST');

const granted = { access_token: 'granted-all-the-same', token_type: 'bearer', expires_in: 2_592_000 };

/** A failing exchange succeeds. */
const ignores = (
  reason: string,
  name: string,
  seenBy: readonly string[],
  only: (form: URLSearchParams) => boolean = () => true,
): Fault =>
  answers(
    name,
    seenBy,
    (request, answer) =>
      isExchange(request) && jsonOf(answer)['reason'] === reason && only(new URLSearchParams(request.body.toString())),
    (answer) => withJson(answer, granted, 200),
  );

/** Members of a good answer are others. */
const says = (
  name: string,
  seenBy: readonly string[],
  fits: typeof isExchange,
  more: Readonly<Record<string, unknown>>,
): Fault =>
  answers(
    name,
    seenBy,
    (request, { status }) => fits(request) && status < 300,
    (answer) => withJson(answer, { ...jsonOf(answer), ...more }),
  );

/** Exchanges of one code pass one after the other: of several at once, those that fail may be answered before the one that succeeds. */
const reusable: Fault = {
  name: 'a code can be exchanged again',
  seenBy: ['CODE-003', 'CODE-004'],
  inbound: () => {
    const succeeded = new Map<string, Promise<Outgoing | null>>();
    return async (request, pass) => {
      if (!isExchange(request)) return pass(request);
      const code = new URLSearchParams(request.body.toString()).get('code') ?? '';
      const answer = (succeeded.get(code) ?? Promise.resolve(null)).then(async (known) => known ?? pass(request));
      succeeded.set(
        code,
        answer.then(
          (answered) => (answered.status === 200 ? answered : null),
          () => null,
        ),
      );
      return answer;
    };
  },
};

/** Faults of registration, codes and the token endpoint. */
export const tokenFaults: readonly Fault[] = [
  reusable,
  ignores('invalid_code_verifier', 'the verifier is ignored', ['TOKEN-006/other', 'CODE-002/challenge']),
  ignores('invalid_code_verifier', 'the verifier may be left out', ['PKCE-002'], (form) => !form.has('code_verifier')),
  ignores('expired_code', 'an expired code is taken', ['CODE-006']),
  ignores('invalid_code', 'any code is taken', ['TOKEN-003']),
  ignores('invalid_client', 'another client’s code is taken', ['TOKEN-004', 'CODE-002/client']),
  ignores('invalid_redirect_uri', 'the redirect URI is not compared at the exchange', [
    'TOKEN-005',
    'CODE-002/redirect',
  ]),
  answers(
    'the reason of a failure is missing',
    ['TOKEN-003', 'TOKEN-008/invalid_code'],
    (request, { status }) => isExchange(request) && status >= 400,
    (answer) => withJson(answer, { error: 'server_error' }),
  ),
  says('token_type is written otherwise', ['TOKEN-002'], isExchange, { token_type: 'Bearer' }),
  says('tokens are said to live an hour', ['TOKEN-002'], isExchange, { expires_in: 3600 }),
  says('a refresh token is given', ['TOKEN-002'], isExchange, { refresh_token: 'another' }),
  answers('token answers may be cached', ['TOKEN-011'], isExchange, (answer) =>
    withHeader(answer, 'cache-control', null),
  ),
  answers('registration is answered 200', ['REG-001'], isRegistration, (answer) => ({ ...answer, status: 200 })),
  answers('registration has another content type', ['REG-001'], isRegistration, (answer) =>
    withHeader(answer, 'content-type', 'text/plain'),
  ),
  says('created_at is shown', ['REG-007'], isRegistration, { created_at: 1 }),
  says('client ids are guessable', ['REG-002'], isRegistration, { client_id: 'client_1' }),
  says('client secrets are short', ['REG-003'], isRegistration, { client_secret: 'secret' }),
  says('the default name is another', ['REG-004'], isRegistration, { client_name: 'Client' }),
  says('the authentication method is the one asked for', ['REG-006'], isRegistration, {
    token_endpoint_auth_method: 'none',
  }),
  answers(
    'scripts may be redirect URIs',
    ['REG-010/javascript', 'REG-010/data'],
    (request, { status }) => isRegistration(request) && status === 400,
    (answer) => withJson(answer, { client_id: 'client_x' }, 201),
  ),
];
