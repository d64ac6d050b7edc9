import { own } from '#domain/shared/own.ts';
import { listed } from '#domain/text/listed.ts';
import { nearest } from '#domain/text/nearest.ts';
import { nearestName } from '#domain/text/nearest-name.ts';

/** What a name could mean: as it was given, and the values that are meant by one thing only, each with its title. */
export type NameChoice = Readonly<{ given: string; options: readonly Readonly<{ value: string; title: string }>[] }>;

/**
 * An input error found before anything was sent. `message` is a complete sentence; `known` are the names or values
 * accepted at `path`, and `nearest` is the one probably meant, null when none is close.
 */
export type InputError = Readonly<{
  path: readonly string[];
  message: string;
  known?: readonly string[];
  nearest?: string | null;
  /** What the value could mean, if it is a name of several things. */
  choice?: NameChoice;
}>;

/** An error without what its value could mean, which its message says. */
export function withoutChoice(error: InputError): InputError {
  const { choice: _, ...shown } = error;
  return shown;
}

/** The names that an argument list or a nested object accepts, and the required ones that are missing. */
type TakenNames = Readonly<{ known: readonly string[]; missing?: readonly string[] }>;

/** The maximum length of caller text echoed in a message, in characters. */
const maxEcho = 60;

/** Returns the error for a name that is not accepted; `path` ends with that name. */
export function unknownName(path: readonly string[], { known, missing = [] }: TakenNames): InputError {
  const name = path.at(-1) ?? '';
  const near = nearestName(name, known, missing);
  const what =
    path.length === 1
      ? `There is no argument ${quoted(name)}`
      : `There is no ${quoted(name)} in ${quoted(path.slice(0, -1).join('.'))}`;
  const hint = near === null ? '' : `; did you mean ${quoted(near)}`;
  const end = near === null ? '.' : '?';
  return { path, message: `${what}${hint}${end} ${takes(known)}`, known, nearest: near };
}

/**
 * A value that names nothing: what it was to name (“team”), the value, the values that there are, and the one that was
 * probably meant, which is the nearest by default.
 */
type UnknownValue = Readonly<{ title: string; given: string; known: readonly string[]; meant?: string | undefined }>;

/** Returns the error for a value that names nothing that there is. */
export function unknownValue(path: readonly string[], { title, given, known, meant }: UnknownValue): InputError {
  const near = meant ?? nearest(given.slice(0, maxCompared), known)[0] ?? null;
  const hint = near === null ? '' : ` Did you mean "${near}"?`;
  const all = known.slice(0, maxKnown).map((one) => `"${one}"`);
  const more = known.length > maxKnown ? ` and ${known.length - maxKnown} more` : '';
  const choice = known.length === 0 ? '' : ` There ${known.length === 1 ? 'is' : 'are'} ${listed(all)}${more}.`;
  const message = `There is no ${title} "${echoed(given)}".${hint}${choice}`;
  return { path, message, known: known.slice(0, maxKnown), nearest: near };
}

/** The maximum number of characters of a value that are compared. */
const maxCompared = 100;

/** The maximum number of known values in an error. */
const maxKnown = 20;

function takes(known: readonly string[]): string {
  return known.length === 0 ? 'It takes no arguments.' : `It takes ${listed(known.map(quoted))}.`;
}

/** Quotes a caller's name in backticks, truncated when it is long. */
export function quoted(name: string): string {
  return `\`${echoed(name)}\``;
}

/** Truncates caller text before it is echoed. */
export function echoed(text: string): string {
  return text.length <= maxEcho ? text : `${text.slice(0, maxEcho)}…`;
}

/** Joins several errors into one text for a person or a model. */
export function errorsText(errors: readonly InputError[]): string {
  const shown = errors.slice(0, maxReported).map(({ message }) => message);
  const more = errors.length > maxReported ? [`And ${errors.length - maxReported} more.`] : [];
  return [...shown, ...more].join(' ');
}

/** A message as a page shows it: names by their labels, or in quotation marks, as people write them. */
export function forPeople(message: string, labels: Readonly<Record<string, string>> = {}): string {
  return message.replaceAll(/`([^`]*)`/g, (_, name: string) => own(labels, name) ?? `“${name}”`);
}

/** The maximum number of errors whose messages are shown. */
const maxReported = 10;
