import type { Container } from 'inversify';
import { DeliveryCalls } from '#adapters/services/webhooks/delivery-calls.ts';
import { openTemplates } from '#adapters/templates/template-files.ts';
import type { VaultNotes } from '#application/ports/vault-notes.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { ConfigError, StartError } from '#bootstrap/start/first-start.ts';
import type { NoteTemplates } from '#domain/notes/templates.ts';

/** The methods of a notes sink. The compiler rejects the table if one is missing. */
const methods: Readonly<Record<keyof VaultNotes, true>> = {
  read: true,
  create: true,
  setFrontmatter: true,
  appendUnderHeading: true,
  append: true,
  replace: true,
  findByFrontmatter: true,
};

/**
 * Creates the configuration's notes sink, which replaces the vault for reactions; no-op without one. The returned
 * function closes it. Throws `ConfigError`.
 */
export async function openSink(container: Container): Promise<() => Promise<void>> {
  const { sink: make } = container.get(tokens.config);
  if (make === null) return async () => undefined;
  const { settings } = container.get(tokens.runtime);
  const logger = container.get(tokens.logger).child({ part: 'sink' });
  const gateway = container.get(DeliveryCalls);
  const sink = await make({ gateway, logger, userId: settings.AUTOMATION_USER_ID, dataDir: settings.dataDir });
  const lacking = Object.keys(methods).filter((name) => typeof Reflect.get(Object(sink), name) !== 'function');
  if (lacking.length > 0) {
    throw new ConfigError(
      `sink: missing methods: ${lacking.join(', ')}; a sink of notes has ${Object.keys(methods).join(', ')}.`,
    );
  }
  container.rebind(tokens.vaultNotes).toConstantValue(sink);
  return async () => sink.close?.();
}

/**
 * Opens the team's note templates in their folder, where the first start copies them; throws `StartError` with file and
 * line.
 */
export async function openNoteTemplates({ templatesDir }: Pick<Settings, 'templatesDir'>): Promise<NoteTemplates> {
  const opened = await openTemplates(templatesDir);
  if (opened.ok) return opened.value;
  throw new StartError(`The note templates are invalid:\n${opened.failure.map((error) => `  ${error}`).join('\n')}`);
}
