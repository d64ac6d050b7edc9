import { readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { parentPort } from 'node:worker_threads';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten-core';
import type { AnswerMessage, StartMessage, StopMessage, ThreadMessage } from '#adapters/programs/program-messages.ts';
import { sandboxCode } from '#adapters/programs/sandbox-code.ts';
import type { ProgramFailure } from '#application/ports/program-sandbox.ts';
import { isObject } from '#domain/json/json-data.ts';

// A thread that runs one program at a time, each in an instance of QuickJS of its own: what one program breaks, the next
// does not meet.

/** The stack of a program, in bytes; below that of the instance. */
const stackBytes = 256 * 1024;

/** How many jobs of a program run before it is looked whether it has to stop. */
const jobsAtOnce = 500;

/** The maximum length of an error's message, in characters. */
const maxMessage = 2_000;

const port = parentPort;
if (port === null) throw new Error('This module runs in a thread.');
const say = (message: ThreadMessage): void => port.postMessage(message);

const wasm = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
const wasmModule = await WebAssembly.compile(readFileSync(wasm));
// The types of the package say that the variant is a member of what it exports; it is that itself.
const compiled = newVariant('default' in variant ? variant.default : variant, { wasmModule });
// Removing types is called experimental by Node; nobody reads a thread's warnings.
process.removeAllListeners('warning');

const dateNow = Date.now;
let running: RunningProgram | null = null;

port.on('message', (message: StartMessage | AnswerMessage | StopMessage) => {
  if (message.do === 'run') void start(message);
  else if (message.do === 'answer') running?.answer(message);
  else running?.look();
});
say({ say: 'ready' });

async function start(message: StartMessage): Promise<void> {
  const end = (ended: Extract<ThreadMessage, { say: 'end' }>): void => {
    running = null;
    Date.now = dateNow;
    say(ended);
  };
  try {
    const quickJs = await newQuickJSWASMModuleFromVariant(compiled);
    const runtime = quickJs.newRuntime();
    running = new RunningProgram(runtime, message, end);
    running.begin();
  } catch (error) {
    end({ say: 'end', ok: false, failure: failureOf(error) });
  }
}

/** The failure of a program that broke its instance, such as by values that are nested too deeply. */
function failureOf(error: unknown): ProgramFailure {
  const message = error instanceof Error ? error.message : '';
  if (/call stack/.test(message)) {
    return { kind: 'limit', message: 'It calls itself, or nests values, too deeply.', line: null };
  }
  return { kind: 'limit', message: 'It used more memory than a program may, or broke its sandbox.', line: null };
}

/** Thrown inside a program's turn, when it ended. */
class Ended extends Error {}

class RunningProgram {
  readonly #runtime: QuickJSRuntime;
  readonly #vm: QuickJSContext;
  readonly #message: StartMessage;
  readonly #end: (ended: Extract<ThreadMessage, { say: 'end' }>) => void;
  readonly #calls = new Map<number, QuickJSDeferredPromise>();
  readonly #cpuAtStart = cpuMs();
  #nextCall = 0;
  #logged = 0;
  #isEnded = false;
  /** Why it was interrupted. */
  #interrupted: ProgramFailure | Readonly<{ kind: 'asked' }> | null = null;
  #result: QuickJSHandle | null = null;

  constructor(
    runtime: QuickJSRuntime,
    message: StartMessage,
    end: (ended: Extract<ThreadMessage, { say: 'end' }>) => void,
  ) {
    this.#runtime = runtime;
    this.#message = message;
    this.#end = end;
    runtime.setMemoryLimit(message.bounds.memoryBytes);
    runtime.setMaxStackSize(stackBytes);
    runtime.setInterruptHandler(() => this.#mustStop());
    this.#vm = runtime.newContext();
  }

  /** Runs the program until it waits for an answer, or ends. */
  begin(): void {
    // The engine asks the thread for the time.
    const { at } = this.#message;
    Date.now = () => at;
    this.#turn(() => {
      const program = this.#compiled();
      const run = this.#unwrap(this.#vm.evalCode(sandboxCode, 'portolan'));
      const given = [
        this.#vm.newFunction('send', (path, inputs) => this.#send(path, inputs)),
        this.#vm.newFunction('write', (line) => this.#write(line)),
        this.#vm.newString(JSON.stringify(this.#message.operations.map(({ path, paging }) => [path, paging]))),
        this.#vm.newString(this.#message.input),
      ];
      const start = this.#unwrap(this.#vm.callFunction(run, this.#vm.undefined, ...given));
      this.#result = this.#unwrap(this.#vm.callFunction(start, this.#vm.undefined, program));
    });
  }

  /** Goes on with the answer of a call. */
  answer({ call, answer }: AnswerMessage): void {
    const waiting = this.#calls.get(call);
    if (waiting === undefined || this.#isEnded) return;
    this.#calls.delete(call);
    this.#turn(() => {
      const text = this.#vm.newString(JSON.stringify(answer));
      waiting.resolve(text);
      text.dispose();
    });
  }

  /** Ends it if it has to stop. */
  look(): void {
    this.#turn(() => undefined);
  }

  #turn(work: () => void): void {
    if (this.#isEnded) return;
    try {
      work();
      this.#runJobs();
    } catch (error) {
      if (error instanceof Ended) return;
      this.#finish({ say: 'end', ok: false, failure: this.#interrupted ?? failureOf(error) });
    }
  }

  #runJobs(): void {
    for (;;) {
      const done = this.#runtime.executePendingJobs(jobsAtOnce);
      if (done.error !== undefined) {
        done.error.dispose();
        // An interrupted job is the only one that fails.
        throw this.#fail(this.#interrupted ?? failureOf(null));
      }
      if (this.#mustStop()) throw this.#fail(this.#interrupted ?? failureOf(null));
      if (done.value === 0) break;
    }
    if (this.#result === null) return;
    const state = this.#vm.getPromiseState(this.#result);
    if (state.type === 'pending') {
      if (this.#calls.size === 0) throw this.#fail(waitsForNothing);
      return;
    }
    if (state.type === 'rejected') throw this.#fail(this.#interrupted ?? failureOf(null));
    this.#finishWith(this.#vm.getString(state.value));
  }

  /** The program as a function, without types if it has any. */
  #compiled(): QuickJSHandle {
    const { code } = this.#message;
    const plain = this.#vm.evalCode(asFunction(code), 'program');
    if (plain.error === undefined) return this.#functionOf(plain.value);
    const first = this.#vm.dump(plain.error);
    plain.error.dispose();
    if (this.#interrupted !== null) throw this.#fail(this.#interrupted);
    const untyped = withoutTypes(code);
    if (untyped === null) throw this.#fail(syntaxFailure(first));
    const second = this.#vm.evalCode(untyped, 'program');
    if (second.error === undefined) return this.#functionOf(second.value);
    const dumped = this.#vm.dump(second.error);
    second.error.dispose();
    throw this.#fail(syntaxFailure(dumped));
  }

  #functionOf(value: QuickJSHandle): QuickJSHandle {
    if (this.#vm.typeof(value) === 'function') return value;
    throw this.#fail({ kind: 'syntax', message: 'The code must be the body of one async function.', line: null });
  }

  #send(path: QuickJSHandle, inputs: QuickJSHandle): QuickJSHandle {
    const waiting = this.#vm.newPromise();
    const call = this.#nextCall++;
    this.#calls.set(call, waiting);
    say({ say: 'call', call, path: this.#vm.getString(path), inputs: this.#vm.getString(inputs) });
    return waiting.handle;
  }

  #write(line: QuickJSHandle): void {
    const text = this.#vm.getString(line);
    this.#logged += text.length + 1;
    const { logLength } = this.#message.bounds;
    if (this.#logged > logLength) {
      this.#interrupted ??= limit(`It logged more than ${logLength} characters.`);
      return;
    }
    say({ say: 'log', line: text });
  }

  #finishWith(text: string): void {
    const { resultLength } = this.#message.bounds;
    if (text.length > resultLength) {
      throw this.#fail(limit(`Its result has more than ${resultLength} characters: return less.`));
    }
    const ended: unknown = JSON.parse(text);
    if (isObject(ended) && ended['ok'] === true) {
      this.#finish({ say: 'end', ok: true, value: ended['value'] });
      return;
    }
    throw this.#fail(thrownFailure(isObject(ended) ? ended : {}));
  }

  #mustStop(): boolean {
    if (this.#interrupted !== null) return true;
    const { stop, bounds } = this.#message;
    if (Atomics.load(stop, 0) !== 0) this.#interrupted = { kind: 'asked' };
    else if (cpuMs() - this.#cpuAtStart > bounds.cpuMs) {
      this.#interrupted = limit(`It took more than ${bounds.cpuMs / 1_000} s of processor time.`);
    }
    return this.#interrupted !== null;
  }

  #fail(failure: ProgramFailure | Readonly<{ kind: 'asked' }>): Ended {
    this.#finish({ say: 'end', ok: false, failure });
    return new Ended();
  }

  #finish(ended: Extract<ThreadMessage, { say: 'end' }>): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#calls.clear();
    this.#end(ended);
  }

  #unwrap(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    if (result.error === undefined) return result.value;
    result.error.dispose();
    throw this.#fail(this.#interrupted ?? failureOf(null));
  }
}

function limit(message: string): ProgramFailure {
  return { kind: 'limit', message, line: null };
}

const waitsForNothing: ProgramFailure = {
  kind: 'thrown',
  message: 'It waits for something that never comes: a promise that nothing resolves.',
  line: null,
};

/** The body on the first line of a function, so that lines keep their numbers. */
function asFunction(code: string): string {
  return `(async (input) => {${code}\n})`;
}

function withoutTypes(code: string): string | null {
  try {
    return stripTypeScriptTypes(asFunction(code), { mode: 'strip' });
  } catch {
    return null;
  }
}

function syntaxFailure(error: unknown): ProgramFailure {
  const { message, stack } = isObject(error) ? error : {};
  const text = typeof message === 'string' ? message.slice(0, maxMessage) : 'it cannot be read';
  return { kind: 'syntax', message: `The code has a fault: ${text}.`, line: lineIn(stack) };
}

function thrownFailure(ended: Readonly<Record<string, unknown>>): ProgramFailure {
  const { name, message, stack, error, isResult } = ended;
  const text = typeof message === 'string' ? message.slice(0, maxMessage) : '';
  const what = typeof name === 'string' && name !== '' && name !== 'PortolanError' ? `${name.slice(0, 100)}: ` : '';
  const known = isObject(error) && typeof error['message'] === 'string' ? { error: { ...error, message: text } } : {};
  if (isResult === true) return { kind: 'thrown', message: `Its result is no JSON: ${what}${text}`, line: null };
  if (name === 'InternalError' && /out of memory|stack overflow/.test(text)) {
    return { kind: 'limit', message: text === 'out of memory' ? outOfMemory : tooDeep, line: lineIn(stack) };
  }
  return { kind: 'thrown', message: `${what}${text}`, line: lineIn(stack), ...known };
}

const outOfMemory = 'It used more memory than a program may have.';
const tooDeep = 'It calls itself, or nests values, too deeply.';

/** The first line of the program that a stack names. */
function lineIn(stack: unknown): number | null {
  const found = typeof stack === 'string' ? /\bprogram:(\d{1,7})/.exec(stack)?.[1] : undefined;
  return found === undefined ? null : Number(found);
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
