/**
 * What a program finds in its sandbox, as a function that is called there with `send` (calls an operation and resolves
 * with its answer as JSON), `write` (logs a line), the operations and the input as JSON. It returns the function that
 * runs the program and resolves with its end as JSON.
 */
export const sandboxCode = `(function (send, write, operationsText, inputText) {
  'use strict';
  const { parse, stringify } = JSON;
  const { create, defineProperty, freeze, hasOwn, keys } = Object;
  const text = String;

  class PortolanError extends Error {
    constructor(error) {
      super(error.message);
      for (const name of keys(error)) if (name !== 'message') this[name] = error[name];
    }
  }
  defineProperty(PortolanError.prototype, 'name', { value: 'PortolanError' });

  const invoke = async (path, inputs) => {
    // The place of the call, which is gone when its answer is there.
    const { stack } = new Error();
    const answer = parse(await send(path, stringify(inputs ?? {}) ?? '{}'));
    if (answer.ok) return answer.value;
    const error = new PortolanError(answer.error);
    defineProperty(error, 'stack', { value: stack, writable: true, configurable: true });
    throw error;
  };

  const paths = new WeakMap();
  const pagings = create(null);
  // Names that the language itself looks for: an unknown operation with one of them would make an object a promise.
  const own = ['then', 'toJSON', 'constructor', 'prototype', 'inspect'];
  const unknown = {
    get: (target, name, receiver) => {
      if (typeof name !== 'string' || name in target || own.includes(name)) return Reflect.get(target, name, receiver);
      const path = paths.get(target);
      return place(path === '' ? name : path + '.' + name);
    },
  };
  const raw = new WeakMap();
  const place = (path) => {
    const call = (inputs) => invoke(path, inputs);
    paths.set(call, path);
    const shown = new Proxy(call, unknown);
    raw.set(shown, call);
    return shown;
  };

  const portolan = place('');
  for (const [path, paging] of parse(operationsText)) {
    if (paging !== null) pagings[path] = paging;
    const names = path.split('.');
    let at = portolan;
    let begin = '';
    for (const name of names) {
      begin = begin === '' ? name : begin + '.' + name;
      if (!hasOwn(raw.get(at), name)) defineProperty(raw.get(at), name, { value: place(begin), enumerable: true });
      at = at[name];
    }
  }

  async function* pages(operation, inputs) {
    const path = typeof operation === 'function' ? paths.get(raw.get(operation)) : text(operation);
    if (path === undefined) throw new TypeError('portolan.pages takes an operation, such as portolan.tracker.issues_list.');
    const given = { ...inputs };
    for (;;) {
      const answer = await invoke(path, given);
      const list = Array.isArray(answer) ? answer : answer?.data;
      if (!Array.isArray(list)) throw new TypeError(path + ' answers no list.');
      yield* list;
      const next = answer.pagination?.next ?? null;
      const paging = pagings[path];
      if (next === null || paging === undefined) return;
      given[paging] = next;
    }
  }
  defineProperty(raw.get(portolan), 'pages', { value: pages, enumerable: true });

  const shown = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return value.name + ': ' + value.message;
    return stringify(value) ?? text(value);
  };
  const log = (...values) => {
    write(values.map(shown).join(' '));
  };
  const define = (name, value) => defineProperty(globalThis, name, { value, writable: true, configurable: true });
  define('portolan', portolan);
  define('log', log);
  define('console', freeze({ log, info: log, warn: log, error: log, debug: log }));
  define('PortolanError', PortolanError);

  const member = (error, name) => {
    try {
      return error[name];
    } catch {
      return undefined;
    }
  };
  const described = (error) => {
    const isObject = typeof error === 'object' && error !== null;
    const message = isObject ? member(error, 'message') : error;
    const name = isObject ? member(error, 'name') : '';
    const stack = isObject ? member(error, 'stack') : '';
    const known = error instanceof PortolanError ? { ...error, message: error.message } : null;
    return { name: typeof name === 'string' ? name : '', message: safeText(message), stack: typeof stack === 'string' ? stack : '', error: known };
  };
  const safeText = (value) => {
    try {
      return text(value);
    } catch {
      return 'a value that cannot be shown';
    }
  };

  return async (program) => {
    let value;
    try {
      value = await program(parse(inputText));
    } catch (error) {
      return stringify({ ok: false, ...described(error) });
    }
    try {
      return '{"ok":true,"value":' + (stringify(value) ?? 'null') + '}';
    } catch (error) {
      return stringify({ ok: false, ...described(error), isResult: true });
    }
  };
})`;
