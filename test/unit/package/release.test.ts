import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changelogSection } from '#test/release/changelog.ts';
import { otherLicences } from '#test/release/licences.ts';
import { versionErrors } from '#test/release/versions.ts';
import packageJson from '../../../package.json' with { type: 'json' };

describe('the section of a version in the changelog', () => {
  const text =
    '# Changelog\n\n## 0.2.0 (unreleased)\n\nNew.\n\n### Added\n\n- This.\n\n## 0.1.0 (2026-01-02)\n\nOld.\n\n## 0.0.1\n';

  it('is what stands below its heading, up to the next one (PKG-014)', () => {
    expect(changelogSection(text, '0.2.0')).toEqual({ date: null, text: 'New.\n\n### Added\n\n- This.' });
    expect(changelogSection(text, '0.1.0')).toEqual({ date: '2026-01-02', text: 'Old.' });
  });

  it('is missing for another version, a part of one, or when it is empty (PKG-014)', () => {
    for (const version of ['0.3.0', '0.2', '0.1', '0.0.1']) expect(changelogSection(text, version)).toBeNull();
  });

  it('is there for the version of package.json (PKG-014)', () => {
    expect(changelogSection(readFileSync('CHANGELOG.md', 'utf8'), packageJson.version)).not.toBeNull();
  });
});

describe('the licences of a release', () => {
  const bom = (...licenses: readonly object[]) =>
    JSON.stringify({ components: [{ name: 'x', version: '1.0.0', licenses }] });
  const id = (one: string) => ({ license: { id: one } });

  it.each([[id('MIT')], [{ expression: 'MIT OR GPL-3.0-only' }], [{ expression: '(BSD-3-Clause AND MIT)' }]])(
    'may be permissive: %j (PKG-014)',
    (licence) => {
      expect(otherLicences(bom(licence))).toEqual([]);
    },
  );

  it.each([
    [[], 'no licence'],
    [[id('GPL-3.0-only')], 'GPL-3.0-only'],
    [[{ expression: 'MIT AND GPL-3.0-only' }], 'MIT AND GPL-3.0-only'],
    [[{ expression: 'SEE LICENSE IN x' }], 'SEE LICENSE IN x'],
  ])('are named otherwise: %j (PKG-014)', (licences, shown) => {
    expect(otherLicences(bom(...licences))).toEqual([`x 1.0.0: ${shown}`]);
  });
});

it('the version is the same wherever it stands (PKG-014)', async () => {
  expect(await versionErrors(packageJson.version)).toEqual([]);
  expect(await versionErrors('9.9.9')).toEqual(
    [
      'server.json',
      'Dockerfile',
      'docs/compose/one-server/compose.yaml',
      'docs/compose/three-servers/compose.yaml',
      'docs/kubernetes/kustomization.yaml',
      'docs/package.md',
    ].map((path) => `${path} names ${packageJson.version}`),
  );
});
