import { randomBytes } from 'node:crypto';
import { access, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTemplate, templateText } from '#adapters/templates/read-template.ts';
import { defaultTemplates, type NoteTemplate, type NoteTemplates, type TemplateKind } from '#domain/notes/templates.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { errorCode } from '#infrastructure/files/error-code.ts';

/**
 * Opens the templates in a folder, one file per kind; a missing file is created from the product's own template. Errors
 * are returned as sentences that name file and line.
 */
export async function openTemplates(folder: string): Promise<Result<NoteTemplates, readonly string[]>> {
  const [issue, deal, contract] = await Promise.all([
    openTemplate(folder, 'issue'),
    openTemplate(folder, 'deal'),
    openTemplate(folder, 'contract'),
  ]);
  if (issue.ok && deal.ok && contract.ok) {
    return ok({ issue: issue.value, deal: deal.value, contract: contract.value });
  }
  return err([issue, deal, contract].flatMap((opened) => (opened.ok ? [] : opened.failure)));
}

async function openTemplate(folder: string, kind: TemplateKind): Promise<Result<NoteTemplate, readonly string[]>> {
  const file = join(folder, `${kind}.md`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeUnlessThere(file, templateText(kind, defaultTemplates[kind]));
    const read = readTemplate(kind, await readFile(file, 'utf8'));
    return read.ok ? read : err(read.failure.map(({ line, message }) => `${file}:${line}: ${message}`));
  } catch (error) {
    return err([`${file} cannot be read (${errorCode(error) ?? String(error)}).`]);
  }
}

/** Writes a file that is not there; a server that starts at the same time sees all of it or nothing. */
async function writeUnlessThere(file: string, text: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600 });
    await link(draft, file).catch(unlessThere);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

function unlessThere(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error;
}
