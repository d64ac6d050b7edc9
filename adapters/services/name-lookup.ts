import type { InputError } from '#domain/operations/input-error.ts';
import { echoed } from '#domain/operations/input-error.ts';
import { type Failure, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { nearest } from '#domain/text/nearest.ts';

/** A record that a name may refer to: its id, its names (most specific first), and how it is shown to people. */
export type NameCandidate = Readonly<{ id: string; called: readonly (string | null | undefined)[]; shown: string }>;

/** A name to resolve, its input, and the terms for its kind. */
export type GivenName = Readonly<{ input?: string; title: string; plural: string; name: string }>;

/** The maximum number of choices in a message. */
const maxChoices = 20;

/**
 * Finds the id of the candidate with this name, ignoring case; null when there is none, a failure with the candidates
 * when there are several.
 */
export function pickNamed(given: GivenName, candidates: readonly NameCandidate[]): Outcome<string> | null {
  const { title, plural, name } = given;
  const wanted = name.trim().toLowerCase();
  const ranks = Math.max(0, ...candidates.map(({ called }) => called.length));
  for (let rank = 0; rank < ranks; rank += 1) {
    const matches = candidates.filter(({ called }) => called[rank]?.toLowerCase() === wanted);
    const [only, ...others] = matches;
    if (only === undefined) continue;
    if (others.length === 0) return succeeded(only.id);
    const choices = matches.slice(0, maxChoices).map(({ shown, id }) => `${shown}, id ${id}`);
    const message = `"${echoed(name)}" names several ${plural}: ${choices.join('; ')}. Give the id of one ${title}.`;
    const known = matches.slice(0, maxChoices).map(({ id }) => id);
    return reportedFailure('invalid_input', given, { message, known, nearest: null });
  }
  return null;
}

/** The failure for an unknown name: where it was searched (" in the team ENG"), the nearest name, and the choices. */
export function unknownNamed(
  given: GivenName,
  { where = '', candidates = [] }: Readonly<{ where?: string; candidates?: readonly NameCandidate[] }>,
): Failure {
  const { title, plural, name } = given;
  const names = candidates.flatMap(({ called }) => called.filter((one) => one != null));
  const near = nearest(name.slice(0, 100), names)[0] ?? null;
  const choices = [...new Set(candidates.map(({ shown }) => shown))];
  const more = choices.length > maxChoices ? ` and ${choices.length - maxChoices} more` : '';
  const hint =
    choices.length === 0 ? '' : ` Choose from the ${plural} ${choices.slice(0, maxChoices).join(', ')}${more}.`;
  const meant = near === null ? '' : ` Did you mean "${near}"?`;
  const message = `There is no ${title} "${echoed(name)}"${where}.${meant}${hint}`;
  return reportedFailure('not_found', given, { message, known: names.slice(0, maxChoices), nearest: near });
}

function reportedFailure(
  reason: 'invalid_input' | 'not_found',
  { input }: GivenName,
  error: Omit<InputError, 'path'>,
): Failure {
  const failure = failed(reason, error.message);
  return input === undefined ? failure : { ...failure, inputErrors: [{ path: [input], ...error }] };
}
