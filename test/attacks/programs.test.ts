import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProgramThreads } from '#adapters/programs/program-threads.ts';
import type { ProgramAnswer, ProgramEnd } from '#application/ports/program-sandbox.ts';

/** Bounds that programs of a test reach soon; the ratios between them are those of the server. */
const bounds = { cpuMs: 300, memoryBytes: 32 * 1024 * 1024, logLength: 20_000, resultLength: 100_000 };

const operations = [
  { path: 'vault.note_read', paging: null },
  { path: 'tracker.issues_list', paging: 'after' },
];

let threads: ProgramThreads;
beforeAll(() => {
  threads = new ProgramThreads({ maxThreads: 1, bounds });
});
afterAll(() => threads.close());

type More = Readonly<{
  call?: (path: string, inputs: unknown) => Promise<ProgramAnswer>;
  signal?: AbortSignal;
  userId?: number;
  on?: ProgramThreads;
}>;

function run(code: string, { call, signal, userId = 1, on = threads }: More = {}): Promise<ProgramEnd> {
  return on.run({
    code,
    input: null,
    at: Date.parse('2026-11-28T09:00:00Z'),
    operations,
    userId,
    call: call ?? (async () => ({ ok: true, value: { secret: 'none' } })),
    signal: signal ?? new AbortController().signal,
  });
}

async function failureOf(code: string, more?: More) {
  const end = await run(code, more);
  if (end.ok) throw new Error(`It returned ${JSON.stringify(end.value)}`);
  return end.failure;
}

async function resultOf(code: string, more?: More): Promise<unknown> {
  const end = await run(code, more);
  if (!end.ok) throw new Error(end.failure.message);
  return end.value;
}

describe('a program that wants out', () => {
  it.each([
    'return typeof process',
    'return typeof require',
    'return typeof fetch',
    'return typeof WebAssembly',
    'return typeof setTimeout',
    'return typeof performance',
    'return typeof Worker',
    'return (0).constructor.constructor("return typeof process")()',
    'return (async () => 0).constructor("return typeof require")()',
    'return (function* () {}).constructor("yield typeof fetch")().next().value',
    'return portolan.vault.note_read.constructor("return typeof process")()',
    'return log.constructor("return typeof process")()',
    'return new Function("return typeof globalThis.process")()',
    'return eval("typeof process")',
    'return (await portolan.vault.note_read({})).constructor.constructor("return typeof process")()',
    'try { null.x } catch (error) { return error.constructor.constructor("return typeof process")() }',
    'try { await portolan.vault.note_read(1n) } catch (error) { return error.constructor.constructor("return typeof process")() }',
    'return Reflect.construct(Function, ["return typeof process"])()',
    'const { proxy } = Proxy.revocable(log, {}); return proxy.constructor("return typeof process")()',
  ])('finds nothing: %s', async (code) => {
    expect(await resultOf(code)).toBe('undefined');
  });

  it.each(['return await import("node:fs")', 'return await import("./secret.ts")', 'import fs from "node:fs"'])(
    'imports nothing: %s',
    async (code) => {
      expect((await failureOf(code)).message).toMatch(/could not load|fault/);
    },
  );

  it('sees no files in stacks, and none but its own lines', async () => {
    const stack = String(await resultOf('try { null.x } catch (error) { return error.stack }'));
    expect(stack).toContain('program:1');
    expect(stack).not.toMatch(/file:|node_modules|\.ts\b|\.mjs|wasm/);
  });

  it('leaves nothing behind for the next program', async () => {
    await run(
      'globalThis.left = 1; Object.prototype.left = 1; Array.prototype.map = null; JSON.parse = null; Promise.prototype.then = null;',
    );
    expect(await resultOf('return [typeof left, typeof {}.left, typeof [].map, typeof JSON.parse]')).toEqual([
      'undefined',
      'undefined',
      'function',
      'function',
    ]);
  });

  it('changes nothing about its own answers by what it overwrites', async () => {
    const calls: unknown[] = [];
    const call = async (path: string, inputs: unknown): Promise<ProgramAnswer> => {
      calls.push([path, inputs]);
      return { ok: true, value: 1 };
    };
    const code = `JSON.stringify = () => '{"ok":true,"value":"forged"}'; JSON.parse = () => ({ ok: true, value: 'forged' });
Object.keys = () => []; return [await portolan.vault.note_read({ path: 'a' }), 2]`;
    expect(await resultOf(code, { call })).toEqual([1, 2]);
    expect(calls).toEqual([['vault.note_read', { path: 'a' }]]);
  });

  it('sees the clock stand, whatever it does', async () => {
    const code = `const first = Date.now(); let n = 0; while (n < 300000) n += 1;
return [first, Date.now(), new Date().getTime(), new Date(0).constructor.now(), Date().includes('2026')]`;
    const at = Date.parse('2026-11-28T09:00:00Z');
    expect(await resultOf(code)).toEqual([at, at, at, at, true]);
  });
});

describe('a program that never ends', () => {
  const tooMuch = 'It took more than 0.3 s of processor time.';
  it.each([
    'for (;;) {}',
    'const again = () => Promise.resolve().then(again); await again()',
    'const more = () => { Promise.resolve().then(more); Promise.resolve().then(more); }; more(); await new Promise(() => {})',
    'for (;;) { try { for (;;) {} } catch {} finally { continue } }',
    'return /^(a+)+$/.test("a".repeat(40) + "b")',
    'return "x".repeat(30000).replace(/(x+x+)+y/, "")',
    'return { toJSON() { for (;;) {} } }',
    'return { get a() { for (;;) {} } }',
    'throw { get message() { for (;;) {} } }',
    'return new Proxy({}, { ownKeys() { for (;;) {} } })',
    'function* all() { for (;;) yield 1 } for (const one of all()) {}',
    'return new Array(2 ** 31).join("x").length',
    'new FinalizationRegistry(() => { for (;;) {} }).register({}, 1); for (;;) ({})',
  ])('is stopped: %s', async (code) => {
    expect(await failureOf(code)).toMatchObject({ kind: 'limit', message: tooMuch });
  });

  it('is ended when it waits for what never comes', async () => {
    expect((await failureOf('await new Promise(() => {})')).message).toContain('never comes');
  });

  it('is ended when a call is not answered and its caller has gone', async () => {
    const gone = new AbortController();
    const call = (): Promise<ProgramAnswer> => {
      queueMicrotask(() => gone.abort(new Error('The client has gone.')));
      return new Promise(() => undefined);
    };
    expect(await failureOf('await portolan.vault.note_read({})', { call, signal: gone.signal })).toMatchObject({
      kind: 'stopped',
      message: 'The client has gone.',
    });
  });

  it('ends after its time although its calls hang', async () => {
    const short = new ProgramThreads({ maxThreads: 1, maxMs: 300 });
    const call = (): Promise<ProgramAnswer> => new Promise(() => undefined);
    expect(await failureOf('await portolan.vault.note_read({})', { call, on: short })).toMatchObject({ kind: 'limit' });
    await short.close();
  });
});

describe('a program that wants too much', () => {
  it.each([
    ['recursion', 'function f() { return f() } f()'],
    ['arrays', 'const all = []; for (;;) all.push(new Array(1e4).fill(all.length))'],
    ['buffers', 'const all = []; for (;;) all.push(new ArrayBuffer(1e6))'],
    ['one buffer', 'new ArrayBuffer(2e9)'],
    ['strings', 'let s = "xy"; const all = []; for (;;) { s = s + all.length; all.push(s.repeat(1000)) }'],
    ['a deep result', 'let a = []; for (let n = 0; n < 1e5; n += 1) a = [a]; return a'],
    ['a deep text', 'JSON.parse("[".repeat(1e6) + "]".repeat(1e6))'],
    ['a deep source', 'eval("[".repeat(1e5) + "]".repeat(1e5))'],
    ['a long result', 'return "x".repeat(200000)'],
    ['a long log', 'for (;;) log("x".repeat(1000))'],
    ['many lines of log', 'for (;;) log()'],
    ['a large number', '2n ** (2n ** 30n)'],
    ['a circle', 'const a = {}; a.a = a; return a'],
  ])('is refused with a reason: %s', async (_, code) => {
    const { message } = await failureOf(code);
    expect(message).toMatch(
      /memory|deeply|processor time|characters|too large|circular|overflow|no JSON|array buffer/i,
    );
  });

  it('keeps the log until then', async () => {
    const end = await run('log("first"); for (;;) log("x".repeat(1000))');
    expect(end).toMatchObject({ ok: false, failure: { message: 'It logged more than 20000 characters.' } });
    expect(end.log[0]).toBe('first');
    expect(end.log.join('').length).toBeLessThan(25_000);
  });

  it('does not harm the next one', async () => {
    await run('function f() { return f() } f()');
    await run('new Array(2 ** 31).join("x")');
    expect(await resultOf('return 6 * 7')).toBe(42);
  });
});

describe('code that is hard to read', () => {
  it.each([
    '('.repeat(30_000),
    'type A = '.repeat(5_000),
    `let a: ${'Array<'.repeat(5_000)}`,
    '`${'.repeat(10_000),
    'x'.repeat(64 * 1024),
    '\u0000\u2028\ud800',
    '}); (async () => { return 1',
    '/*',
    'return 1 //',
  ])('is refused or run, and never breaks the thread: %#', async (code) => {
    const end = await run(code);
    expect(end.ok || end.failure.message.length > 0).toBe(true);
    expect(await resultOf('return 6 * 7')).toBe(42);
  });
});

describe('many programs', () => {
  it('of one user delay the one of another by one at most', async () => {
    const one = new ProgramThreads({ maxThreads: 1, bounds });
    const order: string[] = [];
    const note = (name: string) => async () => order.push(name);
    const many = Array.from({ length: 50 }, (_, nth) =>
      run('let n = 0; while (n < 100000) n += 1;', { on: one }).then(note(`many ${nth}`)),
    );
    const other = run('return 1', { on: one, userId: 2 }).then(note('other'));
    await Promise.all([...many, other]);
    expect(order.indexOf('other')).toBeLessThanOrEqual(2);
    await one.close();
  });

  it('more than may wait are refused', async () => {
    const one = new ProgramThreads({ maxThreads: 1, maxWaitingOfUser: 3, maxWaiting: 4 });
    const ends = await Promise.all(Array.from({ length: 10 }, () => run('return 1', { on: one })));
    expect(ends.filter((end) => end.ok)).toHaveLength(4);
    expect(ends.filter((end) => !end.ok && end.failure.kind === 'busy')).toHaveLength(6);
    await one.close();
  });

  it('that wait end when their caller goes, or the server stops', async () => {
    const one = new ProgramThreads({ maxThreads: 1 });
    const call = (): Promise<ProgramAnswer> => new Promise(() => undefined);
    const running = run('await portolan.vault.note_read({})', { on: one, call });
    const gone = new AbortController();
    const waiting = run('return 1', { on: one, signal: gone.signal });
    const stopped = run('return 1', { on: one });
    gone.abort(new Error('gone'));
    expect(await waiting).toMatchObject({ ok: false, failure: { kind: 'stopped', message: 'gone' } });
    await one.close();
    expect(await stopped).toMatchObject({ ok: false, failure: { message: 'The server is stopping.' } });
    expect((await running).ok).toBe(false);
    expect(await run('return 1', { on: one })).toMatchObject({ ok: false });
  });
});
