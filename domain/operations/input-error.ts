import { listed } from '#domain/text/listed.ts';
import { nearestName } from '#domain/text/nearest-name.ts';

/**
 * An error in an input, found before anything was sent. `message` is a whole sentence; `known` are the names or values
 * that are accepted at that place, and `nearest` the probably intended one, null when none is near.
 */
export type InputError = Readonly<{
  path: readonly string[];
  message: string;
  known?: readonly string[];
  nearest?: string | null;
}>;

/** The names that an argument list or an object within it accepts, and the required ones that are missing. */
export type TakenNames = Readonly<{ known: readonly string[]; missing?: readonly string[] }>;

/** The longest part of a caller's own text that is echoed, in characters. */
const maxEcho = 60;

/** Returns the error for a name that an object does not have; `path` is that of the name. */
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

function takes(known: readonly string[]): string {
  return known.length === 0 ? 'It takes no arguments.' : `It takes ${listed(known.map(quoted))}.`;
}

/** Quotes a caller's name in backquotes, truncated where it is long. */
export function quoted(name: string): string {
  return `\`${echoed(name)}\``;
}

/** Truncates a caller's text for an echo. */
export function echoed(text: string): string {
  return text.length <= maxEcho ? text : `${text.slice(0, maxEcho)}…`;
}

/** Joins several errors into a text for a person or a model. */
export function errorsText(errors: readonly InputError[]): string {
  const shown = errors.slice(0, maxReported).map(({ message }) => message);
  const more = errors.length > maxReported ? [`And ${errors.length - maxReported} more.`] : [];
  return [...shown, ...more].join(' ');
}

/** The number of errors whose messages are shown. */
const maxReported = 10;
