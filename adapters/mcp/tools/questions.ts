import type { ClientRequest } from '#adapters/mcp/protocol/client-requests.ts';
import { lineOf } from '#domain/changes/difference-text.ts';
import { isObject } from '#domain/json/json-data.ts';
import type { Effect } from '#domain/operations/effect.ts';
import type { InputError } from '#domain/operations/input-error.ts';
import type { ChangeToConfirm, PendingApproval } from '#domain/operations/outcome.ts';

type Answer = Readonly<Record<string, unknown>> | undefined;

/** The maximum length of a question, in characters. */
const maxQuestion = 4_000;

const consequences: Readonly<Partial<Record<Effect, string>>> = {
  lose: 'What was there before may be lost',
  reach: 'It reaches people outside',
};

/** Asks whether a change is made: what it does, in which record by name. */
export function confirmQuestion(title: string, { text, effect }: Omit<ChangeToConfirm, 'digest'>): ClientRequest {
  const properties = { confirm: { type: 'boolean', title: 'Go on', description: consequences[effect] ?? '' } };
  const shown = text.length <= maxQuestion ? text : `${text.slice(0, maxQuestion)}…`;
  return form(`${title}?\n${shown}`, properties, ['confirm']);
}

/** Whether the answer to that confirms it. */
export function isConfirmed(answer: Answer): boolean {
  return contentOf(answer)['confirm'] === true;
}

/** What a name among the inputs could mean: the input, the name as it was given, and what it was chosen to mean. */
export type Chosen = Readonly<{ input: string; given: string; value: string }>;

/** An error of a name that several things have, of which one can be chosen. */
type AmbiguousName = InputError & Required<Pick<InputError, 'choice'>>;

/** The first error of such a name; null when there is none. */
export function ambiguousName(errors: readonly InputError[] = []): AmbiguousName | null {
  const isAmbiguous = (error: InputError): error is AmbiguousName =>
    error.path.length === 1 && error.choice !== undefined && error.choice.options.length > 1;
  return errors.find(isAmbiguous) ?? null;
}

/** Asks which of several things a name means, by their names. */
export function choiceQuestion({ path, choice: { given, options } }: AmbiguousName): ClientRequest {
  const meant = {
    type: 'string',
    title: lineOf(path[0] ?? ''),
    enum: options.map(({ value }) => value),
    enumNames: options.map(({ title }) => lineOf(title)),
  };
  return form(`Which of these does “${lineOf(given)}” mean?`, { meant }, ['meant']);
}

/** What was chosen; null for nothing, and for what was not offered. */
export function chosenIn({ path, choice: { given, options } }: AmbiguousName, answer: Answer): Chosen | null {
  const meant = contentOf(answer)['meant'];
  const option = options.find(({ value }) => value === meant);
  return option === undefined ? null : { input: path[0] ?? '', given, value: option.value };
}

/** The arguments with what was chosen in place of the names. */
export function withChosen(args: Readonly<Record<string, unknown>>, chosen: readonly Chosen[]) {
  const meant = (input: string, value: unknown): unknown => {
    const one = chosen.find(({ input: name, given }) => name === input && given === String(value).trim());
    return one?.value ?? value;
  };
  return Object.fromEntries(
    Object.entries(args).map(([input, value]) => [
      input,
      Array.isArray(value) ? value.map((item) => meant(input, item)) : meant(input, value),
    ]),
  );
}

/** Asks to open the page on which a person decides. The answer decides nothing. */
export function pageQuestion(title: string, { id, url }: PendingApproval): ClientRequest {
  const message = `${title}? The page shows what would change. It is done there, once you allow it.`;
  return { method: 'elicitation/create', params: { mode: 'url', message, url, elicitationId: id } };
}

function form(message: string, properties: Readonly<Record<string, unknown>>, required: readonly string[]) {
  const requestedSchema = { type: 'object', properties, required };
  return { method: 'elicitation/create', params: { message, requestedSchema } } as const;
}

function contentOf(answer: Answer): Readonly<Record<string, unknown>> {
  const content = answer?.['action'] === 'accept' ? answer['content'] : null;
  return isObject(content) ? content : {};
}
