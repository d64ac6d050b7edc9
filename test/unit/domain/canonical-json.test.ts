import { describe, expect, it } from 'vitest';
import { canonicalJson } from '#domain/json/canonical-json.ts';

describe('canonical JSON', () => {
  it('orders members by the UTF-16 code units of their names, as RFC 8785 §3.2.3 has it', () => {
    const given = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(canonicalJson(given)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis",' +
        '"\u20ac":"Euro Sign","\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  it('writes numbers, literals and texts as RFC 8785 §3.2.2 has it', () => {
    const given = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27],
      literals: [null, true, false],
      text: '\u20ac$\u000f\nA\'B"\\\\"/',
    };
    expect(canonicalJson(given)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"text":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('orders names that are numbers as texts, and leaves out what is undefined', () => {
    expect(canonicalJson({ 9: 'a', 10: 'b', c: undefined })).toBe('{"10":"b","9":"a"}');
  });
});
