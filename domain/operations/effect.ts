import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';

/** The effects of operations, the least one first. */
export const effects = ['read', 'add', 'change', 'lose', 'reach'] as const;

/**
 * What an operation does: reads; adds a record; changes values of one; loses what was there (deletes, archives, merges,
 * removes, or replaces a whole text or list); or reaches people who are not members of the workspace (sends or shows
 * something to them).
 */
export type Effect = (typeof effects)[number];

/** The same in the words of switches, stored activity and its JSON; `destroy` may lose existing data. */
export type StoredEffect = 'read' | 'write' | 'destroy';

/** What can be stated as an effect: `write` is a change, and `destroy` loses something. */
export type StatedEffect = Effect | StoredEffect;

/** A condition on an input: whether it is given at all, or one of these values. Null is given. */
export type InputCondition = 'given' | 'absent' | readonly unknown[];

/** An effect of the calls whose inputs meet all conditions; each input is named at the top level. */
export type EffectRule = Readonly<{ when: Readonly<Record<string, InputCondition>>; effect: Effect }>;

/** The effect of an operation by its inputs: that of the first rule that holds, else `otherwise`. */
export type EffectsByInput = Readonly<{ otherwise: Effect; by: readonly EffectRule[] }>;

/** The worst effect, which counts for what is not known. */
export const worstEffect: Effect = 'reach';

const storedEffects: Readonly<Record<Effect, StoredEffect>> = {
  read: 'read',
  add: 'write',
  change: 'write',
  lose: 'destroy',
  reach: 'destroy',
};

/** Returns the effect in the words of switches and stored activity. */
export function storedEffectOf(effect: Effect): StoredEffect {
  return storedEffects[effect];
}

function effectOf(stated: StatedEffect): Effect {
  if (stated === 'write') return 'change';
  return stated === 'destroy' ? 'lose' : stated;
}

/** Returns the worst of some effects. */
export function worstAmong(some: readonly Effect[]): Effect {
  return effects.findLast((effect) => some.includes(effect)) ?? worstEffect;
}

/** Returns what a row states of its effect: the worst, and those by inputs where there are several. */
export function effectsOf(
  stated: StatedEffect,
  by: readonly EffectRule[] = [],
): Readonly<{ effect: Effect; effects?: EffectsByInput }> {
  const effects = { otherwise: effectOf(stated), by };
  return by.length === 0
    ? { effect: effects.otherwise }
    : { effect: worstAmong([effects.otherwise, ...by.map((one) => one.effect)]), effects };
}

/** Returns the effect of a call with these inputs, which are valid and complete with their defaults. */
export function effectFor({ otherwise, by }: EffectsByInput, input: unknown): Effect {
  const given = isObject(input) ? input : {};
  const holds = ({ when }: EffectRule) => Object.entries(when).every(([name, one]) => meets(own(given, name), one));
  return by.find(holds)?.effect ?? otherwise;
}

/** Rules by which giving any of these inputs has an effect, whatever the value. */
export function whenGiven(effect: Effect, ...names: readonly string[]): readonly EffectRule[] {
  return names.map((name) => ({ when: { [name]: 'given' }, effect }));
}

function meets(value: unknown, condition: InputCondition): boolean {
  if (condition === 'given') return value !== undefined;
  return condition === 'absent' ? value === undefined : condition.includes(value);
}

/** The behaviour hints for MCP clients (MCP specification, ToolAnnotations). */
export type EffectHints = Readonly<{
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}>;

/** Returns the hints of an operation; `openWorldHint` is true unless it stays in the vault. */
export function hintsOf(effect: Effect, isIdempotent: boolean, isOpenWorld: boolean): EffectHints {
  return {
    readOnlyHint: effect === 'read',
    destructiveHint: storedEffectOf(effect) === 'destroy',
    idempotentHint: effect === 'read' || isIdempotent,
    openWorldHint: isOpenWorld,
  };
}
