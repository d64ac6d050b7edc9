import * as fc from 'fast-check';
import { type FuzzRequest, toolRequest } from '#test/fuzz/requests.ts';
import { hostile } from '#test/fuzz/values.ts';

const operations = `tracker.issues_list tracker.issue_get tracker.issue_create vault.note_read vault.note_write vault.list vault.note_append
  sales_crm.deals_list signing.documents_list tracker.nothing_here constructor.constructor __proto__.x workspace.undo`;
const words = (text: string) => fc.constantFrom(...text.trim().split(/\s+/));
const literal = fc.oneof(
  hostile.map((value) => JSON.stringify(value) ?? 'undefined'),
  fc.constantFrom('NaN', '10n', '/a/g', 'new Map()', '() => 1', 'Symbol.iterator', 'globalThis', 'portolan', 'input'),
);
const inputs = fc.oneof(
  { arbitrary: literal, weight: 1 },
  {
    arbitrary: fc
      .record(
        {
          id: literal,
          path: fc.constantFrom('"A.md"', '"Notes/B.md"'),
          title: literal,
          content: literal,
          limit: fc.constantFrom('1', '50'),
        },
        { requiredKeys: [] },
      )
      .map(
        (members) =>
          `{ ${Object.entries(members)
            .map(([name, value]) => `${name}: ${value ?? '1'}`)
            .join(', ')} }`,
      ),
    weight: 4,
  },
);
const call = fc.tuple(words(operations), inputs).map(([name, input]) => `portolan.${name}(${input})`);
const statement = fc.oneof(
  { arbitrary: call.map((one) => `last = await ${one};`), weight: 5 },
  {
    arbitrary: call.map((one) => `try { last = await ${one}; } catch (error) { log(error.reason, error); }`),
    weight: 6,
  },
  { arbitrary: call.map((one) => `for await (const one of portolan.pages(${one})) { last = one; break; }`), weight: 1 },
  {
    arbitrary: fc.array(call, { maxLength: 12 }).map((all) => `await Promise.allSettled([${all.join(', ')}]);`),
    weight: 2,
  },
  { arbitrary: call.map((one) => `void ${one};`), weight: 1 },
  { arbitrary: literal.map((one) => `log(${one});`), weight: 2 },
  { arbitrary: literal.map((one) => `throw ${one};`), weight: 1 },
  { arbitrary: literal.map((one) => `return ${one};`), weight: 1 },
  {
    arbitrary: fc.constantFrom(
      'const a = {}; a.a = a; return a;',
      'return new Proxy({}, { get() { throw 1; } });',
      'return { toJSON() { return this; } };',
      'Object.prototype.reason = "x"; JSON.stringify = null; Promise = null;',
      'await new Promise(() => {});',
      'const f = () => f(); f();',
      'last = "x".repeat(2 ** 22);',
      'last = Array.from({ length: 5_000 }, (_, at) => ({ at }));',
      'const typed: number = <any>1; enum E { A }',
      'import("node:fs");',
      'for (const one of portolan) {}',
      'delete portolan.tracker; portolan = 1;',
      '}); (async () => {',
    ),
    weight: 2,
  },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }), weight: 1 },
);
const code = fc
  .tuple(fc.array(statement, { maxLength: 6 }), fc.constantFrom('return last;', '', 'return { last, input };'))
  .map(([lines, end]) => `let last;\n${lines.join('\n')}\n${end}`);

/** Programs that nearly do something, end soon, and return, log and throw what is hard to write down. */
export const programs: fc.Arbitrary<FuzzRequest> = fc
  .tuple(code, fc.option(fc.boolean(), { nil: undefined }), fc.option(hostile, { nil: undefined }))
  .map(([text, dry, input]) =>
    toolRequest('program', 'workspace_run', {
      code: text,
      ...(dry === undefined ? {} : { dry }),
      ...(input === undefined ? {} : { input }),
    }),
  );
