import type { InputError } from '#domain/operations/input-error.ts';
import { echoed } from '#domain/operations/input-error.ts';
import { type Failure, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { foldedName, wordsInName } from '#domain/text/folded-name.ts';
import { nearest } from '#domain/text/nearest.ts';

/**
 * A record that a name may refer to: its id, its names (most specific first), how it is shown to people, and the
 * e-mail address in that by which it alone is found, if it has one.
 */
export type NameCandidate = Readonly<{
  id: string;
  called: readonly (string | null | undefined)[];
  shown: string;
  email?: string | null | undefined;
}>;

/**
 * What a name is for: a filter means all records that bear it; a read takes the only candidate; a change takes it only
 * if the name consists of whole words of it.
 */
export type NameUse = 'filter' | 'read' | 'write';

/** A name to resolve, its input, the terms for its kind, and what it is for; people of one name are never meant together. */
export type GivenName = Readonly<{
  input?: string;
  title: string;
  plural: string;
  name: string;
  use: NameUse;
  isPerson?: boolean;
}>;

/** The records that a name stands for, the name by which they were found, and a remark if it is not the one given. */
export type PickedName = Readonly<{ ids: readonly string[]; name: string; remark: string | null }>;

/** The maximum number of choices in a message. */
const maxChoices = 20;

/** Names that stand for something else than a record with that name, and never for a part of one. */
const reserved = ['me', 'none', 'current', 'next', 'previous'];

type Match = Readonly<{ candidate: NameCandidate; name: string }>;

/**
 * Finds the candidates with this name, in this order: exactly, ignoring case; ignoring accents, too; by whole words; by
 * any part of a name, unless it is for a change. Null when there are none, a failure with the candidates when several
 * could be meant. Of a list that is `cut` only exact names count, since there may be other candidates.
 */
export function pickNamed(
  given: GivenName,
  candidates: readonly NameCandidate[],
  isCut = false,
): Outcome<PickedName> | null {
  const wanted = foldedName(given.name);
  const ranks = Math.max(0, ...candidates.map(({ called }) => called.length));
  for (let rank = 0; rank < ranks; rank += 1) {
    const matches = matching(
      candidates,
      ({ called }) => [called[rank]],
      (name) => foldedName(name) === wanted,
    );
    if (matches.length > 0) return picked(given, matches, true);
  }
  if (isCut || given.name.includes('@') || reserved.includes(wanted)) return null;
  const plain = foldedName(given.name, 'accents');
  const words = wordsInName(plain);
  const isPart = (name: string) =>
    (plain.length > 2 || /[^ -~]/.test(plain)) && foldedName(name, 'accents').includes(plain);
  const tests: readonly ((name: string) => boolean)[] = [
    (name) => foldedName(name, 'accents') === plain,
    (name) => words.length > 0 && words.every((word) => wordsInName(foldedName(name, 'accents')).includes(word)),
    ...(given.use === 'write' ? [] : [isPart]),
  ];
  for (const test of tests) {
    const matches = matching(candidates, namesOf, (name) => !name.includes('@') && test(name));
    if (matches.length > 0) return picked(given, matches, false);
  }
  return null;
}

const namesOf = ({ called }: NameCandidate) => called;

/** The candidates of which a name passes the test, each once. */
function matching(
  candidates: readonly NameCandidate[],
  names: (candidate: NameCandidate) => NameCandidate['called'],
  test: (name: string) => boolean,
): readonly Match[] {
  const matches = candidates.flatMap((candidate): Match[] => {
    const name = names(candidate).find((one) => one != null && test(one));
    return name == null ? [] : [{ candidate, name }];
  });
  return [...new Map(matches.map((match) => [match.candidate.id, match])).values()];
}

function picked(given: GivenName, matches: readonly Match[], isExact: boolean): Outcome<PickedName> {
  const [first, ...others] = matches;
  const name = first?.name ?? '';
  const isShared = given.use === 'filter' && given.isPerson !== true;
  const isMeant = others.length === 0 || (isShared && others.every((one) => foldedName(one.name) === foldedName(name)));
  if (!isMeant)
    return ambiguous(
      given,
      matches.map(({ candidate }) => candidate),
    );
  const what =
    others.length === 0
      ? `${given.title} ${first?.candidate.shown}, id ${first?.candidate.id}`
      : `${given.plural} "${name}"`;
  const remark = `"${echoed(given.name)}" was taken for the ${what}.`;
  return succeeded({ ids: matches.map(({ candidate }) => candidate.id), name, remark: isExact ? null : remark });
}

/** The failure for a name that several records could be meant by. */
export function ambiguous(given: GivenName, candidates: readonly NameCandidate[]): Failure {
  const { title, plural, name } = given;
  const listed = candidates.slice(0, maxChoices);
  const choices = listed.map(({ shown, id, email }) => (email == null ? `${shown}, id ${id}` : shown));
  const more = candidates.length > maxChoices ? `; and ${candidates.length - maxChoices} more` : '';
  const what = listed.every(({ email }) => email != null) ? 'e-mail address' : 'id';
  const message = `"${echoed(name)}" names several ${plural}: ${choices.join('; ')}${more}. Give the ${what} of one ${title}.`;
  const known = listed.map(({ id, email }) => email ?? id);
  const options = listed.map(({ id, email, shown }) => ({ value: email ?? id, title: shown }));
  return reportedFailure('invalid_input', given, { message, known, nearest: null, choice: { given: name, options } });
}

/** The failure for an unknown name: where it was searched (" in the team ENG"), the nearest name, and the choices. */
export function unknownNamed(
  given: Omit<GivenName, 'use'>,
  { where = '', candidates = [] }: Readonly<{ where?: string; candidates?: readonly NameCandidate[] }>,
): Failure {
  const { title, plural, name } = given;
  const sorted = nearestFirst(name, candidates);
  const near = sorted.near[0] ?? null;
  const choices = [...new Set(sorted.all.map(({ shown }) => shown))];
  const more = choices.length > maxChoices ? ` and ${choices.length - maxChoices} more` : '';
  const hint =
    choices.length === 0 ? '' : ` Choose from the ${plural} ${choices.slice(0, maxChoices).join(', ')}${more}.`;
  const meant = near === null ? '' : ` Did you mean "${near}"?`;
  const message = `There is no ${title} "${echoed(name)}"${where}.${meant}${hint}`;
  const names = sorted.all.flatMap(({ called }) => called.filter((one) => one != null));
  return reportedFailure('not_found', given, { message, known: names.slice(0, maxChoices), nearest: near });
}

/** The candidates in the order of likeness, and the names that are near: spelled alike, or containing what was given. */
function nearestFirst(given: string, candidates: readonly NameCandidate[]) {
  const text = given.slice(0, 100);
  const plain = foldedName(text, 'accents');
  const names = candidates.flatMap(({ called }) => called.filter((one) => one != null));
  const containing = plain.length < 3 ? [] : names.filter((name) => foldedName(name, 'accents').includes(plain));
  const near = [...nearest(text, names), ...containing];
  const isNear = ({ called }: NameCandidate) => called.some((one) => one != null && near.includes(one));
  return { near, all: [...candidates.filter(isNear), ...candidates.filter((one) => !isNear(one))] };
}

function reportedFailure(
  reason: 'invalid_input' | 'not_found',
  { input }: Pick<GivenName, 'input'>,
  error: Omit<InputError, 'path'>,
): Failure {
  const failure = failed(reason, error.message);
  return input === undefined ? failure : { ...failure, inputErrors: [{ path: [input], ...error }] };
}
