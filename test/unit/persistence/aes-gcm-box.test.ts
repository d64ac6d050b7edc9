import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';

const former = deriveKey('the former secret', 'columns');
const current = deriveKey('the current secret', 'columns');
const box = new AesGcmBox([current, former]);

describe('an AES-GCM box', () => {
  it('decrypts what it encrypted, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
        expect(box.open(box.seal(text, context), context)).toBe(text);
      }),
    );
  });

  it('encrypts the same text differently each time', () => {
    expect(box.seal('text', 'here')).not.toBe(box.seal('text', 'here'));
  });

  it('decrypts what the former key encrypted, and knows that it is outdated (SET-007)', () => {
    const sealed = new AesGcmBox([former]).seal('text', 'here');
    expect(box.open(sealed, 'here')).toBe('text');
    expect(box.isOutdated(sealed)).toBe(true);
    expect(box.isOutdated(box.seal('text', 'here'))).toBe(false);
  });

  it('does not decrypt a value that was moved, altered, cut off, or encrypted with another key', () => {
    const sealed = box.seal('text', 'here');
    const last = sealed.endsWith('A') ? 'B' : 'A';
    expect(() => box.open(sealed, 'there')).toThrow(/moved from the place/);
    expect(() => box.open(`${sealed.slice(0, -2)}${last}${last}`, 'here')).toThrow(/altered/);
    expect(() => box.open(sealed.slice(0, 20), 'here')).toThrow(/cut short/);
    expect(() => box.open('plain text', 'here')).toThrow(/not one that this program sealed/);
    expect(() => new AesGcmBox([former]).open(sealed, 'here')).toThrow(/SECRET_KEY_BASE/);
  });

  it('requires keys of 32 bytes, and at least one', () => {
    expect(() => new AesGcmBox([])).toThrow(/at least one key/);
    expect(() => new AesGcmBox([new Uint8Array(16)])).toThrow(/32 bytes/);
  });
});
