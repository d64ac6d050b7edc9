import * as fc from 'fast-check';
import { type FuzzRequest, toolRequest } from '#test/fuzz/requests.ts';
import { hostile } from '#test/fuzz/values.ts';

const keys = 'reaction when if note under once set do zone dry reaction_status noet __proto__ constructor';
const triggers = `tracker.issue.create sales_crm.updated.deal signing.document_completed_pdf_ready tracker.issue.creat
  schedule:*****`;
const pieces = `{{ issue.title }}|{{ deal.value | plus: 1 }}|{{ unknown | shout }}|{% for a in (1..9) %}|{% endfor %}|{% if a and a %}
  |{%|{{|}}|---|\ufeff---|'|"|: |#|[|{|- |&a |*a |<<: *a|!!js/function |deal.tags.all(a, a != "x")|deal.status == "won"|\u202e|\0|\r`;
const words = (text: string) => fc.constantFrom(...text.trim().split(/\s+/));
const piece = fc.constantFrom(...pieces.split('|').map((one) => one.replace(/\n\s*/, '')));

/** A piece many times over, which a reader that looks back takes long for. */
const repeated = fc.tuple(fc.oneof(piece, fc.string({ maxLength: 4 })), fc.constantFrom(1, 1, 1, 30, 3_000, 20_000));
const text = fc
  .array(
    fc.oneof(
      repeated.map(([one, times]) => one.repeat(Math.min(times, 60_000))),
      hostile.map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));
const value = fc.oneof(
  words(triggers),
  text,
  text.map((one) => JSON.stringify(one)),
  fc.constantFrom('on', 'dry', 'off', 'Log.md', '"Log/{{ id }}.md"', '"schedule: * * * * *"'),
);
const call = fc
  .tuple(fc.constantFrom('tracker.issues.create', 'vault.notes.append', 'tracker.issues.creat'), text)
  .map(([name, input]) => `\n  - ${name}: { title: ${JSON.stringify(input)} }`);
const line = fc.oneof(
  { arbitrary: fc.tuple(words(keys), value).map(([key, one]) => `${key}: ${one}`), weight: 6 },
  { arbitrary: call.map((one) => `do:${one}`), weight: 1 },
  { arbitrary: text, weight: 1 },
);
const whole = fc
  .tuple(
    fc.constantFrom('---\nreaction: on\nwhen: tracker.issue.create\nnote: Log.md\n', '---\n', ''),
    fc.array(line),
    text,
  )
  .map(([head, lines, body]) => `${head}${lines.join('\n')}\n---\n${body}\n`);

/** Notes in the folder of reactions: what nearly is a reaction, and what costs a reader much. Ten paths are written again and again. */
export const reactionNotes: fc.Arbitrary<FuzzRequest> = fc
  .tuple(fc.nat({ max: 9 }), whole)
  .map(([index, content]) =>
    toolRequest('note', 'vault_note_write', { path: `Reactions/fuzz-${index}.md`, content, mode: 'overwrite' }),
  );
