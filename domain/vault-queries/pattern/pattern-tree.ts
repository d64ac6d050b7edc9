/** A regular expression as it is parsed. */
export type PatternNode =
  | Readonly<{ kind: 'unit'; isMatch(unit: number): boolean }>
  | Readonly<{ kind: 'edge'; isEdge(text: string, at: number): boolean }>
  | Readonly<{ kind: 'sequence' | 'choice'; parts: readonly PatternNode[] }>
  | Readonly<{ kind: 'repeat'; part: PatternNode; least: number; most: number; isGreedy: boolean }>
  | Readonly<{ kind: 'group'; part: PatternNode; index: number }>;

/** A step of a program that matches a pattern, and the steps that may come next. */
export type PatternStep =
  | Readonly<{ kind: 'unit'; isMatch(unit: number): boolean }>
  | Readonly<{ kind: 'edge'; isEdge(text: string, at: number): boolean }>
  | Readonly<{ kind: 'save'; slot: number }>
  | { readonly kind: 'fork'; first: number; second: number }
  | { readonly kind: 'jump'; to: number }
  | Readonly<{ kind: 'match' }>;

/** A pattern that is ready to be searched for; `groups` counts its groups in brackets. */
export type Pattern = Readonly<{ steps: readonly PatternStep[]; groups: number }>;

/** The most steps that a pattern may have. */
const maxSteps = 2_000;

/** Compiles a parsed pattern; null when it is too large. */
export function compilePattern(root: PatternNode, groups: number): Pattern | null {
  const steps: PatternStep[] = [];
  const isDone = emitGroup(steps, root, 0);
  steps.push({ kind: 'match' });
  return isDone ? { steps, groups } : null;
}

function emitGroup(steps: PatternStep[], part: PatternNode, index: number): boolean {
  steps.push({ kind: 'save', slot: 2 * index });
  const isDone = emit(steps, part);
  steps.push({ kind: 'save', slot: 2 * index + 1 });
  return isDone;
}

function emit(steps: PatternStep[], node: PatternNode): boolean {
  if (steps.length > maxSteps) return false;
  switch (node.kind) {
    case 'unit':
    case 'edge':
      steps.push(node);
      return true;
    case 'sequence':
      return node.parts.every((part) => emit(steps, part));
    case 'group':
      return emitGroup(steps, node.part, node.index);
    case 'choice':
      return emitChoice(steps, node.parts);
    case 'repeat':
      return emitRepeat(steps, node);
  }
}

function emitChoice(steps: PatternStep[], parts: readonly PatternNode[]): boolean {
  const jumps: Extract<PatternStep, { kind: 'jump' }>[] = [];
  const isDone = parts.every((part, index) => {
    if (index === parts.length - 1) return emit(steps, part);
    const fork = { kind: 'fork' as const, first: steps.length + 1, second: 0 };
    steps.push(fork);
    const isEmitted = emit(steps, part);
    const jump = { kind: 'jump' as const, to: 0 };
    steps.push(jump);
    jumps.push(jump);
    fork.second = steps.length;
    return isEmitted;
  });
  for (const jump of jumps) jump.to = steps.length;
  return isDone;
}

function emitRepeat(
  steps: PatternStep[],
  { part, least, most, isGreedy }: Extract<PatternNode, { kind: 'repeat' }>,
): boolean {
  const fork = () => {
    const made = { kind: 'fork' as const, first: 0, second: 0 };
    steps.push(made);
    const setTo = (member: 'first' | 'second') => (to: number) => {
      made[member] = to;
    };
    return isGreedy
      ? { within: setTo('first'), past: setTo('second') }
      : { within: setTo('second'), past: setTo('first') };
  };
  for (let count = 0; count < least; count += 1) if (!emit(steps, part)) return false;
  if (most === Number.POSITIVE_INFINITY) {
    const start = steps.length;
    const loop = fork();
    loop.within(steps.length);
    const isDone = emit(steps, part);
    steps.push({ kind: 'jump', to: start });
    loop.past(steps.length);
    return isDone;
  }
  const forks = [];
  for (let count = least; count < most; count += 1) {
    const made = fork();
    forks.push(made);
    made.within(steps.length);
    if (!emit(steps, part)) return false;
  }
  for (const made of forks) made.past(steps.length);
  return true;
}
