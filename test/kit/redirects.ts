import { equal, holds, matches, status } from '#test/kit/checks.ts';
import { authorizePath, callback, type Kit, locationOf } from '#test/kit/kit.ts';
import type { Answer } from '#test/kit/wire.ts';

/** Asserts a refusal: by this status at the level `portolan`, by any from 400 to 499 at `recommended`, which leaves it open. */
export function isRefused(kit: Kit, answer: Answer, by: number): void {
  if (kit.level === 'portolan') status(answer, by);
  holds(
    answer.status >= 400 && answer.status < 500,
    `${answer.asked} to be refused`,
    `${answer.status} ${answer.text}`,
  );
}

/** Asserts a 400 page without a redirect. */
export function isRefusedPage(kit: Kit, answer: Answer): void {
  isRefused(kit, answer, 400);
  if (kit.level === 'portolan') matches(answer.header('content-type'), /^text\/html\b/, 'the content type');
  equal(answer.header('location'), '', 'the location');
}

/** Asserts a redirect to the client with an error, and returns its query. */
export function errorSentBack(answer: Answer, error: string): URLSearchParams {
  const { origin, pathname, searchParams } = locationOf(answer);
  equal(`${origin}${pathname}`, callback, 'the redirect to');
  equal(searchParams.get('error'), error, 'error');
  equal(searchParams.get('code'), null, 'code');
  return searchParams;
}

/** The answer to an authorization request of somebody who signed in, with other parameters. */
export const asks = async (kit: Kit, more: Readonly<Record<string, string | undefined>>): Promise<Answer> =>
  (await kit.signedIn()).get(authorizePath(await kit.client(), more));
