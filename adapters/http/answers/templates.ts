import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import { z } from 'zod';
import { glyph } from '#adapters/http/answers/glyphs.ts';
import { staticUrl } from '#adapters/http/static-files.ts';
import { visibleText } from '#domain/shared/visible-text.ts';
import { isBuilt, programFile } from '#infrastructure/program/program-files.ts';

const textsSchema = z.record(z.string(), z.string());
const { escapeFunction: escapeHtml } = new Eta().config;
const eta = new Eta({ autoEscape: true, escapeFunction: (value) => escapeHtml(visibleText(String(value))) });
for (const [name, template] of templates()) eta.loadTemplate(`@${name}`, template);
const shared = {
  stylesheet: staticUrl('portolan.css'),
  icon: staticUrl('portolan.svg'),
  script: staticUrl('portolan.js'),
  glyph,
  exact: escapeHtml,
  frame: null,
  hasScript: false,
  unreadable: null,
};

/** The templates by name: one file each in the sources, a single file in the built package. */
function templates(): readonly (readonly [name: string, template: string])[] {
  const folder = programFile('adapters/http/answers/templates');
  if (isBuilt) return Object.entries(textsSchema.parse(JSON.parse(readFileSync(`${folder}.json`, 'utf8'))));
  return readdirSync(folder).map((file) => [file.replace('.eta', ''), readFileSync(join(folder, file), 'utf8')]);
}

/**
 * Renders a page's HTML from its template, compiled at start. Values are escaped, and their invisible characters shown
 * as escapes too, but for the values of `exact`, which forms send back; a missing value throws.
 */
export function renderTemplate(name: string, values: Readonly<Record<string, unknown>>): string {
  return eta.render(`@${name}`, { ...shared, ...values });
}

const unshown = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const piledMarks = /(\p{M}{2})\p{M}+/gu;

/**
 * Cleans untrusted text for display: removes control, bidirectional and invisible characters, which could disguise it,
 * and stacked combining marks, and truncates it to a readable length.
 */
export function shownText(text: string, maxLength = 80): string {
  const plain = text.replace(unshown, '').replace(piledMarks, '$1').replace(/\s+/gu, ' ').trim();
  const characters = Array.from(plain);
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : plain;
}

/** Cleans a client's name for display; one without visible characters gets a placeholder. */
export function shownClientName(name: string): string {
  return shownText(name) || 'An app without a name';
}
